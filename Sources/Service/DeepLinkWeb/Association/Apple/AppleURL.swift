import DeepLinkCore

/// The parts of a URL for comparison with Apple's rules.
///
/// Values that many rules need are computed once.
struct AppleURL {
    /// A path without the slashes at its end.
    struct Path {
        let whole: String

        /// The path without its leading slash, if it has one and more after it.
        let bare: String?

        fileprivate init(_ text: String) {
            var bytes = Array(text.utf8)[...]
            while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
            whole = String(decoding: bytes, as: UTF8.self)
            let hasBare = bytes.count > 1 && bytes.first == UInt8(ascii: "/")
            bare = hasBare ? String(decoding: bytes.dropFirst(), as: UTF8.self) : nil
        }
    }

    /// The parts of the URL, where a missing part is an empty text.
    struct Parts {
        let path: Path
        let query: String
        let fragment: String
        let pairs: [(name: String, value: String)]

        fileprivate init(_ url: PlatformURL, read: (String) -> String) {
            path = Path(read(url.path.isEmpty ? "/" : url.path))
            query = read(url.query ?? "")
            fragment = read(url.fragment ?? "")
            pairs = (url.query ?? "").utf8.split(separator: UInt8(ascii: "&"))
                .map { pair in
                    let sides = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
                    return (read(String(Substring(sides[0]))), sides.count > 1 ? read(String(Substring(sides[1]))) : "")
                }
        }
    }

    /// The parts as written, for rules with `percentEncoded`.
    let written: Parts

    /// The decoded parts, for rules without `percentEncoded`.
    let decoded: Parts

    init(_ url: PlatformURL) {
        written = Parts(url) { $0 }
        decoded = Parts(url, read: PlatformURL.decode)
    }
}

/// A path pattern of an Apple rule that mostly ignores leading and trailing slashes.
///
/// The leading slash is optional, and several count as one. Slashes at the end are ignored, in the pattern and in the
/// path, and a pattern that ends with `/*` also matches without it. No slash is added to a path, however.
struct ApplePathPattern {
    private let text: String

    /// The pattern without a trailing `/*`, or `nil` if it has none.
    private let parent: String?

    /// Whether the path may be compared without its leading slash.
    private let allowsBarePath: Bool

    /// Creates a pattern.
    ///
    /// It is compiled when it is first matched.
    init(_ text: String) {
        let slash = UInt8(ascii: "/")
        let hasSlash = text.utf8.first == slash
        var bytes = Array(text.utf8.drop { $0 == slash })
        if hasSlash { bytes.insert(slash, at: 0) }
        while bytes.last == slash, bytes.count > (hasSlash ? 1 : 0) { bytes.removeLast() }
        self.text = String(decoding: bytes, as: UTF8.self)
        let hasParent = bytes.count > 2 && bytes.suffix(2).elementsEqual("/*".utf8)
        parent = hasParent ? String(decoding: bytes.dropLast(2), as: UTF8.self) : nil
        allowsBarePath = !hasSlash
    }

    /// Returns whether a path matches, without the slashes at its end.
    ///
    /// - Parameters:
    ///   - path: the path.
    ///   - layout: compiles a pattern.
    ///   - effort: the budget of steps.
    /// - Returns: whether the path matches.
    /// - Throws: ``MatchingEffortError``.
    func matches(
        _ path: AppleURL.Path,
        layout: AppleRule.Layout,
        spending effort: inout MatchingEffort
    ) throws(MatchingEffortError) -> Bool {
        for text in [text, parent] {
            guard let text else { continue }
            let pattern = try layout.pattern(text, spending: &effort)
            if try pattern.matches(path.whole, spending: &effort) { return true }
            if allowsBarePath, let bare = path.bare, try pattern.matches(bare, spending: &effort) { return true }
        }
        return false
    }
}
