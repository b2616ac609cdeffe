/// A list of small values, usually few: the first eight are stored inline, without allocating, and the others on the
/// heap.
///
/// A value is stored as one word, and eight words as a vector, so that a copy is a plain memory copy.
struct ShortList<Element: ShortListElement>: RandomAccessCollection, Sendable {
    private var first = SIMD8<UInt64>()
    private var others: [UInt64] = []
    private(set) var count = 0

    var startIndex: Int { 0 }
    var endIndex: Int { count }

    subscript(position: Int) -> Element {
        @inline(__always)
        get { Element(word: position < first.scalarCount ? first[position] : others[position - first.scalarCount]) }
    }

    /// Appends a value.
    @inline(__always)
    mutating func append(_ element: Element) {
        if count < first.scalarCount { first[count] = element.word } else { others.append(element.word) }
        count += 1
    }

    /// Removes the last value of a list that is not empty.
    @inline(__always)
    mutating func removeLast() {
        if count > first.scalarCount { others.removeLast() }
        count -= 1
    }
}

/// A value that fits into one word, so that a ``ShortList`` can store it.
protocol ShortListElement: Sendable {
    /// The value as a word.
    var word: UInt64 { get }

    /// Creates a value from its word.
    init(word: UInt64)
}
