import DeepLinkCore

/// Sentences about links and apps that operating systems treat differently.
struct AssociationWords {
    /// The maximum number of links in a sentence.
    private static let maximumNamedCount = 3

    /// The paths of the links, with the platforms on which they open elsewhere.
    private var links: [(path: ByteText, platforms: [String])] = []

    /// The apps that open the links of the host now, or no longer.
    private var apps: [String] = []

    /// Reads rules of the form `ios /path/*`, or `android package fingerprint`.
    init(_ rules: Set<ByteText>) {
        var places: [ByteText: Int] = [:]
        for rule in rules.sorted() {
            let parts = rule.string.utf8.split(separator: UInt8(ascii: " "), maxSplits: 1).map { String(Substring($0)) }
            guard parts.count == 2 else { continue }
            let platform = parts[0].bytewise == "ios" ? "iOS" : "Android"
            guard parts[1].utf8.first == UInt8(ascii: "/") else {
                apps.append("\(parts[1]) (\(platform))")
                continue
            }
            let path = Self.readable(parts[1]).bytewise
            if let place = places[path] {
                if links[place].platforms.last?.bytewise != platform.bytewise {
                    links[place].platforms.append(platform)
                }
            } else {
                places[path] = links.count
                links.append((path, [platform]))
            }
        }
    }

    /// Returns a description of the change for the links of a host.
    func text(isNarrowed: Bool) -> String {
        let (place, former) = isNarrowed ? ("the browser", "the app") : ("the app", "the browser")
        let verb = isNarrowed ? "no longer open" : "open"
        let ofApps = apps.isEmpty ? nil : "\(verb) in \(named(apps))"
        let paths = links.map { "\($0.path) (\($0.platforms.sorted(by: >).joined(separator: ", ")))" }
        let ofLinks = links.isEmpty ? nil : "open in \(place), no longer in \(former): \(named(paths))"
        return [ofApps, ofLinks].compactMap(\.self).joined(separator: "; they ")
    }

    /// Returns a pattern with dots for any text, so that readers need not know the syntax of each platform.
    private static func readable(_ pattern: String) -> String {
        var text = ""
        for scalar in pattern.unicodeScalars where scalar != "?" {
            text += scalar == "*" ? "…" : String(Character(scalar))
        }
        return text
    }

    private func named(_ names: [String]) -> String {
        let named = names.prefix(Self.maximumNamedCount).joined(separator: ", ")
        return names.count > Self.maximumNamedCount
            ? "\(named) and \(names.count - Self.maximumNamedCount) more" : named
    }
}
