import DeepLinkCore

/// The parts of a link that the rules of operating systems compare.
struct ComparedLink {
    /// The scheme, in lower case.
    let scheme: ByteText

    /// The host with its port, in lower case, or an empty text for none.
    let host: ByteText

    /// The path as sent, which begins with a slash.
    let path: [UInt8]

    init(_ text: String) {
        let bytes = Array(text.utf8)
        let colon = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
        scheme = ScreenWords.lowercased(String(decoding: bytes[..<colon], as: UTF8.self))
        var rest = bytes[colon...].dropFirst().prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        var host = rest[..<rest.startIndex]
        if rest.starts(with: "//".utf8) {
            rest = rest.dropFirst(2)
            host = rest.prefix { $0 != UInt8(ascii: "/") }
            rest = rest.dropFirst(host.count)
        }
        self.host = ScreenWords.lowercased(String(decoding: host, as: UTF8.self))
        path = rest.first == UInt8(ascii: "/") ? Array(rest) : [UInt8(ascii: "/")] + rest
    }
}

/// A text with stars for any text, and with question marks for any byte if they stand for one.
struct WildcardText: Sendable {
    private let pattern: [UInt8]

    init(_ pattern: String) { self.pattern = Array(pattern.utf8) }

    /// Returns whether a text matches as a whole.
    ///
    /// - Complexity: the product of both lengths at most.
    func matches(_ text: [UInt8]) -> Bool {
        var (place, position) = (0, 0)
        var star: (place: Int, position: Int)?
        while position < text.count {
            if place < pattern.count, pattern[place] == UInt8(ascii: "*") {
                star = (place, position)
                place += 1
            } else if place < pattern.count, pattern[place] == text[position] || pattern[place] == UInt8(ascii: "?") {
                place += 1
                position += 1
            } else if let last = star {
                star = (last.place, last.position + 1)
                (place, position) = (last.place + 1, last.position + 1)
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}

/// The links that one intent filter takes.
///
/// A value that the build sets, or a pattern that is not read, takes every link.
struct IntentRule: Sendable {
    /// The attributes of paths, with the forms of their values as wildcards.
    private enum Path {
        case exact(ByteText)
        case wildcard(WildcardText)
    }

    private let schemes: Set<ByteText>
    private let hosts: [WildcardText]
    private let paths: [Path]

    /// Creates a rule from the values of a filter, in which an attribute of a path is a name with its value.
    init(schemes: [String], hosts: [String], paths: [(name: String, value: String)]) {
        self.schemes = Set(schemes.map(\.bytewise))
        self.hosts = hosts.map { WildcardText(Self.isSet($0) ? $0 : "*") }
        self.paths = paths.map { name, value in
            guard Self.isSet(value) else { return .wildcard(WildcardText("*")) }
            return switch name.bytewise {
            case "android:path": .exact(value.bytewise)
            case "android:pathPrefix": .wildcard(WildcardText(value + "*"))
            case "android:pathSuffix": .wildcard(WildcardText("*" + value))
            // A dot is any byte, and a star repeats what stands before it.
            case "android:pathPattern": .wildcard(WildcardText(Self.beginning(of: value) + "*"))
            default: .wildcard(WildcardText("*"))
            }
        }
    }

    /// Returns whether the manifest has the value, and not the build.
    private static func isSet(_ value: String) -> Bool {
        !value.utf8.contains(UInt8(ascii: "$")) && value.utf8.first != UInt8(ascii: "@")
    }

    private static func beginning(of pattern: String) -> String {
        let plain = Array(pattern.utf8).prefix { !".*\\?".utf8.contains($0) }
        let isRepeated = pattern.utf8.dropFirst(plain.count).first == UInt8(ascii: "*")
        return String(decoding: isRepeated ? plain.dropLast() : plain, as: UTF8.self)
    }

    /// Returns whether the filter takes a link.
    func takes(_ link: ComparedLink) -> Bool {
        guard schemes.contains(link.scheme) else { return false }
        guard hosts.isEmpty || hosts.contains(where: { $0.matches(Array(link.host.string.utf8)) }) else { return false }
        return paths.isEmpty
            || paths.contains { path in
                switch path {
                case .exact(let text): text == String(decoding: link.path, as: UTF8.self).bytewise
                case .wildcard(let pattern): pattern.matches(link.path)
                }
            }
    }
}

/// The links that an association file gives to some apps, in the order of its patterns, of which the first match counts.
struct AssociationLinks: Sendable {
    private static let schemes: Set<ByteText> = ["http", "https"]

    private var patterns: [(pattern: WildcardText, isExcluded: Bool)] = []

    /// Adds a pattern.
    ///
    /// A variable of the file stands for any text.
    mutating func add(_ pattern: String, isExcluded: Bool) {
        var text = ""
        var isVariable = false
        for scalar in pattern.unicodeScalars {
            switch scalar {
            case "$": (isVariable, text) = (true, text + "*")
            case ")" where isVariable: isVariable = false
            default: if !isVariable { text.unicodeScalars.append(scalar) }
            }
        }
        patterns.append((WildcardText(text), isExcluded))
    }

    /// Returns whether the apps get a link.
    func takes(_ link: ComparedLink) -> Bool {
        guard Self.schemes.contains(link.scheme) else { return false }
        return patterns.first { $0.pattern.matches(link.path) }.map { !$0.isExcluded } ?? false
    }
}
