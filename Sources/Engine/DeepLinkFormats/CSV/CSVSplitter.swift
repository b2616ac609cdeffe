import DeepLinkCore

/// A stream of bytes that is cut into the rows of comma-separated values (RFC 4180), keeping no more of it than one row may
/// have.
///
/// A row ends with a line feed, before which a carriage return is dropped. A field in quotation marks may have separators,
/// line feeds and doubled quotation marks. A byte order mark at the beginning and lines without any byte are passed over.
/// The separator is a comma, a semicolon or a tab: the one that is first in the first row, outside quotation marks.
///
/// A row that breaks a rule is reported with its place, and reading goes on at the next line feed.
///
/// - Complexity: linear in the bytes, however they arrive.
package struct CSVSplitter {
    /// One row of the stream.
    package enum Row: Equatable {
        /// The fields of the row.
        case whole(CSVRow)

        /// The row cannot be read.
        case malformed(CSVFault)
    }

    /// The place in a row.
    private enum State {
        case fieldStart
        case plain
        case quoted

        /// After a quotation mark in a quoted field: its end, or the first of two.
        case quote

        /// After a carriage return that follows a quoted field.
        case quoteAndReturn

        /// The row is malformed; the rest of its line is passed over.
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

    /// Creates a splitter for rows of at most so many bytes and fields.
    package init(maximumByteCount: Int = 1 << 16, maximumFieldCount: Int = 1000) {
        self.maximumByteCount = maximumByteCount
        self.maximumFieldCount = maximumFieldCount
    }

    /// The number of bytes of an incomplete row that are kept.
    package var pendingByteCount: Int { pending.count - position + bytes.count }

    /// Adds bytes of the stream; call ``next()`` until it has no more row.
    package mutating func append(_ bytes: some Sequence<UInt8>) {
        pending.removeFirst(position)
        position = 0
        pending.append(contentsOf: bytes)
    }

    /// Takes the next row that is complete; `nil` until more bytes come.
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

    /// Returns the row at the end of the stream, after ``next()`` had no more; `nil` if there is none.
    package mutating func last() -> Row? {
        if isAtStart {
            skipMark()
            // No more than the beginning of a byte order mark, which ends no row.
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

    /// Whether the row has nothing but a carriage return so far.
    private var isLoneReturn: Bool {
        state == .plain && ends.isEmpty && bytes.count == 1 && bytes[0] == UInt8(ascii: "\r")
    }

    /// Returns whether a byte separates fields; the first that may do so decides for the whole file.
    private mutating func isSeparator(_ byte: UInt8) -> Bool {
        if let separator { return byte == separator }
        guard Self.separators.contains(byte) else { return false }
        separator = byte
        return true
    }

    private mutating func keep(_ byte: UInt8) {
        // A carriage return at the end of the row is none of its bytes.
        guard bytes.count <= maximumByteCount else { return report(.tooLong(limit: maximumByteCount)) }
        bytes.append(byte)
    }

    private mutating func endField() {
        ends.append(bytes.count)
        state = .fieldStart
        if ends.count >= maximumFieldCount { report(.tooManyFields(limit: maximumFieldCount)) }
    }

    /// Notes the fault of a row, of which the rest is passed over.
    private mutating func report(_ rule: CSVFault.Rule) {
        fault = CSVFault(rule, line: firstLine, field: ends.count + 1)
        state = .skipping
        bytes.removeAll(keepingCapacity: true)
    }

    private mutating func endRow() -> Row {
        if state == .plain, bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        if fault == nil, bytes.count > maximumByteCount { report(.tooLong(limit: maximumByteCount)) }
        // The first row decides: one column has no separator, and a comma in it is a fault of a row with two.
        if separator == nil { separator = UInt8(ascii: ",") }
        ends.append(bytes.count)
        defer { startRow() }
        if fault == nil, let field = invalidField {
            return .malformed(CSVFault(.invalidUTF8, line: firstLine, field: field))
        }
        return fault.map { .malformed($0) } ?? .whole(CSVRow(line: firstLine, bytes: bytes, ends: ends))
    }

    /// The first field that isn't UTF-8, from 1; `nil` for none.
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
        // The next row is probably as long; its arrays grow once.
        let (byteCount, fieldCount) = (bytes.count, ends.count)
        bytes = []
        ends = []
        bytes.reserveCapacity(byteCount)
        ends.reserveCapacity(fieldCount)
        firstLine = line
    }
}

/// A record of comma-separated values, decoded: the fields of a row of a spreadsheet.
package struct CSVRow: Equatable, Sendable {
    /// The line of the file at which the row begins, from 1; quoted fields may have line feeds.
    package let line: Int

    /// The fields without their quotation marks, one behind the other, in UTF-8.
    private let bytes: [UInt8]

    /// The end of each field in the bytes.
    private let ends: [Int]

    /// Creates a row from its fields, one behind the other, and the end of each.
    init(line: Int, bytes: [UInt8], ends: [Int]) {
        self.line = line
        self.bytes = bytes
        self.ends = ends
    }

    /// The number of fields, at least 1.
    package var count: Int { ends.count }

    /// Whether no field has any text, as in the last rows of many spreadsheets.
    package var isBlank: Bool { bytes.isEmpty }

    /// The bytes of a field, in UTF-8; none for a field that the row doesn't have.
    package subscript(index: Int) -> ArraySlice<UInt8> {
        guard ends.indices.contains(index) else { return [] }
        return bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
    }

    /// Returns the text of a field, empty for one that the row doesn't have.
    package func text(at index: Int) -> String { String(decoding: self[index], as: UTF8.self) }

    /// The texts of all fields.
    package var texts: [String] { ends.indices.map { text(at: $0) } }
}

/// The first row of comma-separated values, which names the columns.
package struct CSVHeader: Sendable {
    /// The names as written, in their order.
    package let names: [String]

    /// The names in the form that is compared.
    private let forms: [ByteText]

    /// Reads the names of a row.
    package init(_ row: CSVRow) {
        names = row.texts
        forms = names.map(Self.form)
    }

    /// The number of columns.
    package var count: Int { names.count }

    /// Returns the first column that has one of some names; `nil` if there is none.
    ///
    /// Only ASCII letters and digits of a name count, and not their case: `Short link` is `short_link`.
    package func column(named candidates: String...) -> Int? { column(named: candidates) }

    /// Returns the first column that has one of some names; `nil` if there is none.
    package func column(named candidates: [String]) -> Int? {
        let wanted = candidates.map(Self.form)
        return forms.firstIndex { wanted.contains($0) }
    }

    private static func form(_ name: String) -> ByteText {
        let bytes = name.utf8.map(ASCII.lowercased).filter { ASCII.isDigit($0) || $0 &- 0x61 < 26 }
        return ByteText(String(decoding: bytes, as: UTF8.self))
    }
}
