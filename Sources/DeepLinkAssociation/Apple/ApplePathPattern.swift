import DeepLinkCore

/// A pattern of Apple's for paths, in which slashes at the ends mean little.
///
/// The leading slash may be left out, and several are one; those at the end mean nothing, in the pattern and in the path;
/// and what ends with `/*` also matches without it. Nothing is added to a path, however.
struct ApplePathPattern {
    private let pattern: ApplePattern
    private let parent: ApplePattern?

    /// Whether the path may be compared without its leading slash.
    private let allowsBarePath: Bool

    /// Lays out a pattern.
    init(_ text: String, variables: AppleVariables, caseSensitive: Bool) {
        let slash = UInt8(ascii: "/")
        let hasSlash = text.utf8.first == slash
        var bytes = Array(text.utf8.drop { $0 == slash })
        if hasSlash { bytes.insert(slash, at: 0) }
        while bytes.last == slash, bytes.count > (hasSlash ? 1 : 0) { bytes.removeLast() }
        func pattern(_ bytes: some Sequence<UInt8>) -> ApplePattern {
            ApplePattern(
                String(decoding: Array(bytes), as: UTF8.self),
                variables: variables,
                caseSensitive: caseSensitive
            )
        }
        self.pattern = pattern(bytes)
        parent = bytes.count > 2 && bytes.suffix(2).elementsEqual("/*".utf8) ? pattern(bytes.dropLast(2)) : nil
        allowsBarePath = !hasSlash
    }

    /// Returns whether a path matches.
    func matches(_ path: String, _ effort: inout MatchingEffort) throws(MatchingEffortError) -> Bool {
        var bytes = Array(path.utf8)[...]
        while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        let whole = String(decoding: bytes, as: UTF8.self)
        let bare = allowsBarePath && bytes.count > 1 && bytes.first == UInt8(ascii: "/")
        for pattern in [pattern, parent].compactMap(\.self) {
            if try pattern.matches(whole, &effort) { return true }
            if bare, try pattern.matches(String(decoding: bytes.dropFirst(), as: UTF8.self), &effort) { return true }
        }
        return false
    }
}
