/// One decoded query pair of a link.
public struct QueryItem: Hashable, Sendable {
    /// The decoded text before the first equals sign.
    public let name: String

    /// The decoded text after the first equals sign, or `nil` where the pair has none.
    public let value: String?

    /// Creates a pair from its decoded parts.
    public init(name: String, value: String?) {
        self.name = name
        self.value = value
    }

    /// Compares both parts byte by byte.
    public static func == (left: QueryItem, right: QueryItem) -> Bool {
        left.name.bytewise == right.name.bytewise && left.value?.bytewise == right.value?.bytewise
    }

    /// Hashes what ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name.bytewise)
        hasher.combine(value?.bytewise)
    }
}
