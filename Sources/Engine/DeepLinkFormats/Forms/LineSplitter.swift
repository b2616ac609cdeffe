/// A stream of bytes that is cut into lines, keeping no more of it than one line may have.
///
/// A line ends with a line feed; a carriage return before it is dropped. What follows the last line feed is a line
/// too. Empty lines are passed over: they hold no value. So is a byte order mark at the beginning, which some programs
/// write.
package struct LineSplitter {
    /// One line of the stream.
    package enum Line: Equatable {
        /// The bytes of the line, without its end.
        case whole([UInt8])

        /// The line has more bytes than are taken; they are gone.
        case tooLong
    }

    private let maximumByteCount: Int
    private var pending: [UInt8] = []
    private var position = 0

    private static let empty = Line.whole([])

    /// The number of pending bytes that are known to have no line feed: a line that drips in is scanned once.
    private var scanned = 0

    private var isTooLong = false

    /// Whether as many bytes as a byte order mark has have arrived.
    private var isBegun = false

    /// The number of the line that was taken last, counted from 1, empty ones included; 0 before the first.
    package private(set) var lineNumber = 0

    /// Creates a splitter for lines of at most so many bytes.
    package init(maximumByteCount: Int) {
        self.maximumByteCount = maximumByteCount
    }

    /// The number of bytes of incomplete lines that are kept.
    package var pendingByteCount: Int { pending.count - position }

    /// Adds bytes of the stream; call ``next()`` until it has no more line.
    package mutating func append(_ bytes: some Sequence<UInt8>) {
        pending.removeFirst(position)
        scanned -= position
        position = 0
        pending.append(contentsOf: bytes)
    }

    /// Takes the next line that is complete; `nil` until more bytes come.
    package mutating func next() -> Line? {
        while let line = nextOfAll() {
            if line != Self.empty { return line }
        }
        return nil
    }

    /// Passes over a byte order mark at the beginning of the stream, once it has arrived whole.
    private mutating func passOverMark() {
        let mark = "\u{FEFF}".utf8
        guard !isBegun, lineNumber == 0, pending.count >= mark.count else { return }
        isBegun = true
        guard pending.starts(with: mark) else { return }
        position = mark.count
        scanned = max(scanned, position)
    }

    private mutating func nextOfAll() -> Line? {
        passOverMark()
        guard let end = pending[scanned...].firstIndex(of: UInt8(ascii: "\n")) else {
            scanned = pending.count
            if pending.count - position > maximumByteCount + 1 {
                isTooLong = true
                pending.removeAll(keepingCapacity: true)
                position = 0
                scanned = 0
            }
            return nil
        }
        let line = line(pending[position..<end])
        position = end + 1
        scanned = position
        return line
    }

    /// Returns the rest at the end of the stream; `nil` if there is none.
    package mutating func last() -> Line? {
        guard isTooLong || position < pending.count else { return nil }
        let line = line(pending[position...])
        return line == Self.empty ? nil : line
    }

    private mutating func line(_ bytes: ArraySlice<UInt8>) -> Line {
        defer { isTooLong = false }
        lineNumber += 1
        let line = bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes
        return isTooLong || line.count > maximumByteCount ? .tooLong : .whole(Array(line))
    }
}
