/// A stream of bytes that is split into lines, buffering at most one line.
///
/// A line ends with a line feed, and a carriage return before it is dropped. The bytes after the last line feed are a
/// line too. Empty lines are skipped because they hold no value, and so is a byte order mark at the beginning, which
/// some programs write.
package struct LineSplitter {
    /// One line of the stream.
    package enum Line: Equatable {
        /// The bytes of the line, without its terminator.
        case whole([UInt8])

        /// The line is longer than the limit, and its bytes were dropped.
        case tooLong
    }

    private let maximumByteCount: Int
    private var pending: [UInt8] = []
    private var position = 0

    private static let empty = Line.whole([])

    /// The number of pending bytes that are known to contain no line feed, so that a line in many pieces is scanned
    /// once.
    private var scanned = 0

    private var isTooLong = false

    /// Whether enough bytes for a byte order mark have arrived.
    private var isBegun = false

    /// The number of the last returned line, counted from 1 with empty lines included, or 0 before the first.
    package private(set) var lineNumber = 0

    /// Creates a splitter with the maximum length of a line, in bytes.
    package init(maximumByteCount: Int) {
        self.maximumByteCount = maximumByteCount
    }

    /// The number of buffered bytes of incomplete lines.
    package var pendingByteCount: Int { pending.count - position }

    /// Adds bytes of the stream.
    ///
    /// Call ``next()`` until it returns `nil`.
    package mutating func append(_ bytes: some Sequence<UInt8>) {
        pending.removeFirst(position)
        scanned -= position
        position = 0
        pending.append(contentsOf: bytes)
    }

    /// Returns and removes the next complete line, or returns `nil` if more bytes are needed.
    package mutating func next() -> Line? {
        while let line = nextOfAll() {
            if line != Self.empty { return line }
        }
        return nil
    }

    /// Skips a byte order mark at the beginning of the stream, once it has arrived completely.
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

    /// Returns the rest at the end of the stream, or `nil` if it is empty.
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
