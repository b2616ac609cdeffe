import DeepLinkCore

/// A stream of bytes that is split into rows of comma-separated values (RFC 4180), buffering at most one row.
///
/// A row ends with a line feed, and a carriage return before it is dropped. A field in quotation marks may contain
/// separators, line feeds and doubled quotation marks. A byte order mark at the beginning and empty lines are skipped.
/// The separator is a comma, a semicolon or a tab: the first of them in the first row, outside quotation marks.
///
/// A row that breaks a rule is reported with its location, and reading continues at the next line feed.
///
/// - Complexity: linear in the bytes, however they arrive.
package struct CSVSplitter {
    /// One row of the stream.
    package enum Row: Equatable {
        /// The fields of the row.
        case whole(CSVRow)

        /// The row is malformed.
        case malformed(CSVFault)
    }

    /// The position within a row.
    private enum State {
        case fieldStart
        case plain
        case quoted

        /// After a quotation mark in a quoted field: the end of the field, or the first of two marks.
        case quote

        /// After a carriage return that follows a quoted field.
        case quoteAndReturn

        /// The row is malformed, and the rest of its line is skipped.
        case skipping
    }

    private static let mark = Array("\u{FEFF}".utf8)
    private static let separators = Array(",;\t".utf8)

    private let maximumByteCount: Int
    private let maximumFieldCount: Int

    private var pending: [UInt8] = []
    private var position = 0
    private var isAtStart = true
    private var separator: UInt8?
    private var state = State.fieldStart
    private var fault: CSVFault?
    private var bytes: [UInt8] = []
    private var ends: [Int] = []

    /// The line of the next byte.
    private var line = 1

    /// The line at which the row begins.
    private var firstLine = 1

    /// Creates a splitter with the maximum length of a row, in bytes, and its maximum number of fields.
    package init(maximumByteCount: Int = 1 << 16, maximumFieldCount: Int = 1000) {
        self.maximumByteCount = maximumByteCount
        self.maximumFieldCount = maximumFieldCount
    }

    /// The number of buffered bytes of an incomplete row.
    package var pendingByteCount: Int { pending.count - position + bytes.count }

    /// Adds bytes of the stream.
    ///
    /// Call ``next()`` until it returns `nil`.
    package mutating func append(_ bytes: some Sequence<UInt8>) {
        pending.removeFirst(position)
        position = 0
        pending.append(contentsOf: bytes)
    }

    /// Returns and removes the next complete row, or returns `nil` if more bytes are needed.
    package mutating func next() -> Row? {
        if isAtStart {
            if pending.count < Self.mark.count, Self.mark.starts(with: pending) { return nil }
            skipMark()
        }
        while position < pending.count {
            let byte = pending[position]
            position += 1
            if let row = take(byte) { return row }
        }
        return nil
    }

    /// Returns the row at the end of the stream, or `nil` if it is empty.
    ///
    /// Call it after ``next()`` returned `nil`.
    package mutating func last() -> Row? {
        if isAtStart {
            skipMark()
            // The rest is the beginning of a byte order mark, which contains no line feed.
            while position < pending.count {
                _ = take(pending[position])
                position += 1
            }
        }
        switch state {
        case .fieldStart where ends.isEmpty: return nil
        case .quoted: report(.unclosedQuote)
        case .fieldStart, .plain, .quote, .quoteAndReturn, .skipping: break
        }
        return endRow()
    }

    private mutating func skipMark() {
        isAtStart = false
        if pending.starts(with: Self.mark) { position = Self.mark.count }
    }

    private mutating func take(_ byte: UInt8) -> Row? {
        if byte == UInt8(ascii: "\n") {
            line += 1
            guard state == .quoted else {
                let isEmpty = state == .fieldStart && ends.isEmpty || isLoneReturn
                guard isEmpty else { return endRow() }
                startRow()
                return nil
            }
        }
        switch state {
        case .fieldStart where byte == UInt8(ascii: "\""): state = .quoted
        case .fieldStart, .plain:
            if isSeparator(byte) {
                endField()
            } else if byte == UInt8(ascii: "\"") {
                report(.quoteInside)
            } else {
                state = .plain
                keep(byte)
            }
        case .quoted:
            if byte == UInt8(ascii: "\"") { state = .quote } else { keep(byte) }
        case .quote where byte == UInt8(ascii: "\""):
            state = .quoted
            keep(byte)
        case .quote where byte == UInt8(ascii: "\r"): state = .quoteAndReturn
        case .quote where isSeparator(byte): endField()
        case .quote, .quoteAndReturn: report(.textAfterQuote)
        case .skipping: break
        }
        return nil
    }

    /// Whether the row consists of a carriage return so far.
    private var isLoneReturn: Bool {
        state == .plain && ends.isEmpty && bytes.count == 1 && bytes[0] == UInt8(ascii: "\r")
    }

    /// Returns whether a byte separates fields.
    ///
    /// The first possible separator is the separator of the whole file.
    private mutating func isSeparator(_ byte: UInt8) -> Bool {
        if let separator { return byte == separator }
        guard Self.separators.contains(byte) else { return false }
        separator = byte
        return true
    }

    private mutating func keep(_ byte: UInt8) {
        // A carriage return at the end of the row doesn't count.
        guard bytes.count <= maximumByteCount else { return report(.tooLong(limit: maximumByteCount)) }
        bytes.append(byte)
    }

    private mutating func endField() {
        ends.append(bytes.count)
        state = .fieldStart
        if ends.count >= maximumFieldCount { report(.tooManyFields(limit: maximumFieldCount)) }
    }

    /// Records the fault of a row, so that its rest is skipped.
    private mutating func report(_ rule: CSVFault.Rule) {
        fault = CSVFault(rule, line: firstLine, field: ends.count + 1)
        state = .skipping
        bytes.removeAll(keepingCapacity: true)
    }

    private mutating func endRow() -> Row {
        if state == .plain, bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        if fault == nil, bytes.count > maximumByteCount { report(.tooLong(limit: maximumByteCount)) }
        // The first row decides. If it has one column, commas are assumed, so that a later comma makes a row of two
        // fields.
        if separator == nil { separator = UInt8(ascii: ",") }
        ends.append(bytes.count)
        defer { startRow() }
        if fault == nil, let field = invalidField {
            return .malformed(CSVFault(.invalidUTF8, line: firstLine, field: field))
        }
        return fault.map { .malformed($0) } ?? .whole(CSVRow(line: firstLine, bytes: bytes, ends: ends))
    }

    /// The first field that isn't UTF-8, counted from 1, or `nil` if all are.
    private var invalidField: Int? {
        guard !bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
        var start = 0
        for (index, end) in ends.enumerated() {
            if String(validating: bytes[start..<end], as: UTF8.self) == nil { return index + 1 }
            start = end
        }
        return nil
    }

    private mutating func startRow() {
        state = .fieldStart
        fault = nil
        // The next row probably has the same length, so its arrays grow once.
        let (byteCount, fieldCount) = (bytes.count, ends.count)
        bytes = []
        ends = []
        bytes.reserveCapacity(byteCount)
        ends.reserveCapacity(fieldCount)
        firstLine = line
    }
}

/// The decoded fields of one row.
package struct CSVRow: Equatable, Sendable {
    /// The line of the file at which the row begins, counted from 1.
    ///
    /// Quoted fields may contain line feeds.
    package let line: Int

    /// The UTF-8 bytes of all fields, without their quotation marks.
    fileprivate let bytes: [UInt8]

    /// The end of each field in the bytes.
    fileprivate let ends: [Int]

    /// The number of fields, at least 1.
    package var count: Int { ends.count }

    /// Whether all fields are empty, as in the last rows of many spreadsheets.
    package var isBlank: Bool { bytes.isEmpty }

    /// The UTF-8 bytes of a field, or none for an index beyond the row.
    package subscript(index: Int) -> ArraySlice<UInt8> {
        guard ends.indices.contains(index) else { return [] }
        return bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
    }

    /// Returns the text of a field, or an empty text for an index beyond the row.
    package func text(at index: Int) -> String { String(decoding: self[index], as: UTF8.self) }

    /// The texts of all fields.
    package var texts: [String] { ends.indices.map { text(at: $0) } }
}

/// The first row, with the names of the columns.
package struct CSVHeader: Sendable {
    /// The names as written, in their order.
    package let names: [String]

    /// The normalized names.
    private let forms: [ByteText]

    /// Reads the names of a row.
    package init(_ row: CSVRow) {
        names = row.texts
        forms = names.map(Self.form)
    }

    /// The number of columns.
    package var count: Int { names.count }

    /// Returns the first column with one of some names, or `nil` if the names are absent.
    ///
    /// Only ASCII letters and digits of a name count, and not their case: `Short link` is `short_link`.
    package func column(named candidates: String...) -> Int? { column(named: candidates) }

    /// Returns the first column with one of some names, or `nil` if the names are absent.
    package func column(named candidates: [String]) -> Int? {
        let wanted = candidates.map(Self.form)
        return forms.firstIndex { wanted.contains($0) }
    }

    private static func form(_ name: String) -> ByteText {
        let bytes = name.utf8.map(ASCII.lowercased).filter { ASCII.isDigit($0) || $0 &- 0x61 < 26 }
        return ByteText(String(decoding: bytes, as: UTF8.self))
    }
}
