package import DeepLinkCore

/// A function that returns a catalog's rules by which operating systems open its links in the app, host by host.
///
/// The composition root provides it. After an interruption its result is dropped.
package typealias AssociationReader = @Sendable (RouteCatalog, Interruption) -> [AssociatedHost]

/// A host of an https origin, with its rules for operating systems.
package struct AssociatedHost: Sendable {
    /// The host of the origin.
    package let host: ByteText

    /// The apps, and the patterns of the links that open in each of them.
    ///
    /// A rule is `ios ABCDE12345.com.example.app /path/*`, and an app is the same without a path. An Android app has a
    /// fingerprint in its place.
    package let handed: Set<ByteText>

    /// The patterns of the links that are excluded from each app.
    package let kept: Set<ByteText>

    /// Creates a host with its rules.
    package init(host: ByteText, handed: Set<ByteText>, kept: Set<ByteText>) {
        self.host = host
        self.handed = handed
        self.kept = kept
    }

    /// Returns the rules without the identifiers of the apps: every app of the catalog has the same links.
    fileprivate var ofOneApp: AssociatedHost {
        func rule(_ text: ByteText) -> ByteText {
            let rule = AssociationRule(text)
            return rule.path.map { "\(rule.platform) \($0)".bytewise } ?? text
        }
        return AssociatedHost(host: host, handed: Set(handed.map(rule)), kept: Set(kept.map(rule)))
    }
}

/// The parts of a rule for operating systems.
private struct AssociationRule {
    /// The platform: `ios` or `android`.
    let platform: Substring

    /// The app, or `nil` if the rule is one of every app of its catalog.
    let app: Substring?

    /// The pattern of the links, or `nil` for a rule that names an app.
    let path: Substring?

    init(_ rule: ByteText) {
        let parts = rule.string.utf8.split(separator: UInt8(ascii: " "), maxSplits: 1).map { Substring($0) }
        platform = parts.first ?? ""
        let rest = parts.dropFirst().first ?? ""
        let slash = UInt8(ascii: "/")
        guard rest.utf8.first != slash else {
            (app, path) = (nil, rest)
            return
        }
        let words = rest.utf8.split(separator: UInt8(ascii: " "), maxSplits: 1).map { Substring($0) }
        let isPattern = words.count == 2 && (String(platform).bytewise == "ios" || words[1].utf8.first == slash)
        let pattern = isPattern ? words[1] : nil
        (app, path) = (pattern == nil ? rest : words.first, pattern)
    }
}

/// The changes of the links that operating systems open in the app.
struct AssociationRules {
    /// The maximum number of patterns in a finding.
    private static let maximumNamedCount = 20

    private let old: [ByteText: AssociatedHost]
    private let new: [ByteText: AssociatedHost]

    /// Whether a catalog has named apps, so that apps differ in their links.
    private let isByApp: Bool

    init(
        _ pairing: CatalogPairing,
        read: AssociationReader,
        interruption: Interruption
    ) throws(Interruption.Stop) {
        isByApp = !pairing.old.apps.named.isEmpty || !pairing.new.apps.named.isEmpty
        old = Self.hosts(read(pairing.old, interruption), byApp: isByApp)
        try interruption.check()
        new = Self.hosts(read(pairing.new, interruption), byApp: isByApp)
        try interruption.check()
    }

    private static func hosts(_ hosts: [AssociatedHost], byApp isByApp: Bool) -> [ByteText: AssociatedHost] {
        let hosts = hosts.map { ($0.host, isByApp ? $0 : $0.ofOneApp) }
        return Dictionary(hosts, uniquingKeysWith: { one, _ in one })
    }

    /// The findings, host by host.
    var findings: [Finding] {
        Set(old.keys).union(new.keys).sorted()
            .flatMap { host -> [Finding] in
                let none = AssociatedHost(host: host, handed: [], kept: [])
                let (before, after) = (old[host] ?? none, new[host] ?? none)
                let lost = (before.handed.subtracting(after.handed), after.kept.subtracting(before.kept))
                let gained = (before.kept.subtracting(after.kept), after.handed.subtracting(before.handed))
                return [
                    finding(.associationNarrowed, host: host, gone: lost.0, new: lost.1),
                    finding(.associationWidened, host: host, gone: gained.0, new: gained.1),
                ]
                .compactMap(\.self)
            }
    }

    /// Returns a finding about the removed and added rules of one effect.
    private func finding(
        _ rule: ChangeRule,
        host: ByteText,
        gone: Set<ByteText>,
        new: Set<ByteText>
    ) -> Finding? {
        guard !gone.isEmpty || !new.isEmpty else { return nil }
        let keeps = rule == .associationNarrowed ? (gone: "", new: "not ") : (gone: "not ", new: "")
        var finding = Finding(
            rule,
            of: ChangeSubject(origin: "https://\(host)".bytewise),
            from: Self.text(gone, prefix: keeps.gone),
            to: Self.text(new, prefix: keeps.new)
        )
        finding.words = AssociationWords(gone.union(new)).text(isNarrowed: rule == .associationNarrowed)
        return finding
    }

    private static func text(_ patterns: Set<ByteText>, prefix: String) -> ByteText? {
        guard !patterns.isEmpty else { return nil }
        let named = patterns.sorted().prefix(maximumNamedCount).map { prefix + $0.string }
        let others = patterns.count > named.count ? ", and \(patterns.count - named.count) more" : ""
        return (named.joined(separator: ", ") + others).bytewise
    }
}

/// Sentences about links and apps that operating systems treat differently.
struct AssociationWords {
    /// The maximum number of links in a sentence.
    private static let maximumNamedCount = 3

    /// The paths of the links, with the platforms on which they open elsewhere, each with its app if apps differ.
    private let links: [(path: ByteText, platforms: Set<ByteText>)]

    /// Whether the rules are of one app each, so that links may open in another app, and not in the browser.
    private var isByApp = false

    /// The apps that open the links of the host now, or no longer.
    private var apps: [String] = []

    /// Reads rules of the form `ios /path/*`, `ios app /path/*`, or `android package fingerprint`.
    init(_ rules: Set<ByteText>) {
        var found: [(path: ByteText, platform: ByteText)] = []
        for rule in rules.sorted() {
            let parts = AssociationRule(rule)
            let platform = String(parts.platform).bytewise == "ios" ? "iOS" : "Android"
            guard let path = parts.path else {
                if let app = parts.app { apps.append("\(app) (\(platform))") }
                continue
            }
            if parts.app != nil { isByApp = true }
            let place = parts.app.map { "\(platform) \($0)" } ?? platform
            found.append((Self.readable(path).bytewise, place.bytewise))
        }
        links = found.grouped { $0.path }.map { ($0[0].path, Set($0.map(\.platform))) }
    }

    /// Returns a description of the change for the links of a host.
    func text(isNarrowed: Bool) -> String {
        let (place, former) = isNarrowed ? ("the browser", "the app") : ("the app", "the browser")
        let verb = isNarrowed ? "no longer open" : "open"
        let ofApps = apps.isEmpty ? nil : "\(verb) in \(named(apps))"
        let paths = links.map { "\($0.path) (\($0.platforms.sorted(by: >).map(\.string).joined(separator: ", ")))" }
        let opens = isByApp ? "\(verb) in the app" : "open in \(place), no longer in \(former)"
        let ofLinks = links.isEmpty ? nil : "\(opens): \(named(paths))"
        return [ofApps, ofLinks].compactMap(\.self).joined(separator: "; they ")
    }

    /// Returns a pattern with dots for any text, so that readers need not know the syntax of each platform.
    private static func readable(_ pattern: Substring) -> String {
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
