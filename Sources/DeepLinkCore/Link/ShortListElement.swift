/// A value that fits into one word, so that a ``ShortList`` can keep it.
protocol ShortListElement: Sendable {
    /// The value as a word.
    var word: UInt64 { get }

    /// Reads a value from its word.
    init(word: UInt64)
}
