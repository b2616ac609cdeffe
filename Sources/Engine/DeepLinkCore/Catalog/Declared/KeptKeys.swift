/// The keys of query pairs that go on from a link's page: a key, a prefix with `*` after it, or `*` for all.
package struct KeptKeys: Hashable, Sendable {
    private static let star = UInt8(ascii: "*")

    /// The patterns, in the order of the file.
    package let patterns: [String]

    /// The keys of a catalog that declares none: those of campaigns and of Google's advertisements.
    package static let standard = KeptKeys(["utm_*", "gclid", "gbraid", "wbraid"])

    /// Creates a set from its patterns.
    package init(_ patterns: [String]) {
        self.patterns = patterns
    }

    /// Returns whether a text is a pattern: a star only at its end.
    package static func isPattern(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 64 && !text.utf8.dropLast().contains(star)
    }

    /// Returns whether a key is in the set.
    package func contains(_ key: String) -> Bool {
        patterns.contains { pattern in
            pattern.utf8.last == Self.star
                ? key.utf8.starts(with: pattern.utf8.dropLast()) : key.bytewise == pattern.bytewise
        }
    }

    /// Compares the patterns byte by byte.
    package static func == (left: KeptKeys, right: KeptKeys) -> Bool {
        left.patterns.map(\.bytewise) == right.patterns.map(\.bytewise)
    }

    /// Hashes the patterns.
    package func hash(into hasher: inout Hasher) { hasher.combine(patterns.map(\.bytewise)) }
}
