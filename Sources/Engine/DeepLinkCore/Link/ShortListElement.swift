/// A value that fits into one word, so that a ``ShortList`` can store it.
protocol ShortListElement: Sendable {
    /// The value as a word.
    var word: UInt64 { get }

    /// Creates a value from its word.
    init(word: UInt64)
}
