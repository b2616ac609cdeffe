/// One decoded query pair of a link.
package struct QueryItem: Hashable, Sendable {
    /// The decoded text before the first equals sign.
    package let name: String

    /// The decoded text after the first equals sign, or `nil` if the pair has none.
    package let value: String?

    /// Creates a pair from its decoded parts.
    package init(name: String, value: String?) {
        self.name = name
        self.value = value
    }

    /// Compares both parts byte by byte.
    package static func == (left: QueryItem, right: QueryItem) -> Bool {
        left.name.bytewise == right.name.bytewise && left.value?.bytewise == right.value?.bytewise
    }

    /// Hashes both parts byte by byte.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(name.bytewise)
        hasher.combine(value?.bytewise)
    }
}
