/// Small values of which there are mostly few: the first eight in place, without allocating, and those after them
/// on the heap.
///
/// A value is kept as one word, and eight words as a vector: what is copied then is plain memory.
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

    /// Adds a value at the end.
    @inline(__always)
    mutating func append(_ element: Element) {
        if count < first.scalarCount { first[count] = element.word } else { others.append(element.word) }
        count += 1
    }

    /// Takes the last value away; there must be one.
    @inline(__always)
    mutating func removeLast() {
        if count > first.scalarCount { others.removeLast() }
        count -= 1
    }
}
