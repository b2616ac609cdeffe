import CPostgreSQL
import DeepLinkCore
import DeepLinkStorage

/// The rows of a statement's result, in PostgreSQL's text format.
final class ResultRows: RandomAccessCollection {
    private let result: OpaquePointer

    /// Takes ownership of a libpq result.
    init(_ result: OpaquePointer) {
        self.result = result
    }

    deinit { PQclear(result) }

    var startIndex: Int { 0 }
    var endIndex: Int { Int(PQntuples(result)) }
    subscript(place: Int) -> ResultRow { ResultRow(rows: self, place: CInt(place)) }

    /// The server's command tag, such as `COMMIT` or `INSERT 0 1`.
    var tag: String { String(cString: PQcmdStatus(result)) }

    fileprivate func bytes(_ row: CInt, column: CInt) -> UnsafeBufferPointer<UInt8>? {
        guard PQgetisnull(result, row, column) == 0, let value = PQgetvalue(result, row, column) else { return nil }
        let count = Int(PQgetlength(result, row, column))
        return UnsafeBufferPointer(start: UnsafeRawPointer(value).assumingMemoryBound(to: UInt8.self), count: count)
    }
}

/// A row of a result, whose columns are read by their numbers.
struct ResultRow: StoredColumns {
    fileprivate let rows: ResultRows
    fileprivate let place: CInt

    func optionalText(_ column: Int) throws(PostgresError) -> String? {
        guard let bytes = raw(column) else { return nil }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .unexpected("text that is not UTF-8") }
        return text
    }

    func optionalNumber(_ column: Int) throws(PostgresError) -> Int64? {
        guard let bytes = raw(column) else { return nil }
        guard let number = DecimalText.parseInt(bytes) else { throw .unexpected("no number in column \(column)") }
        return Int64(number)
    }

    /// Returns a value of type `bytea`, which must not be NULL, in either format of `bytea_output`.
    ///
    /// A role or a database may set the format to `escape` (postgresql.org/docs/15/datatype-binary.html).
    func bytes(_ column: Int) throws(PostgresError) -> [UInt8] {
        guard let bytes = raw(column), let value = Self.hexadecimal(bytes) ?? Self.unescaped(bytes) else {
            throw .unexpected("no bytes in column \(column)")
        }
        return value
    }

    func fault(_ what: String) -> PostgresError { .unexpected(what) }

    private func raw(_ column: Int) -> UnsafeBufferPointer<UInt8>? { rows.bytes(place, column: CInt(column)) }

    private static let backslash = UInt8(ascii: "\\")

    private static func hexadecimal(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard bytes.count >= 2, bytes.count.isMultiple(of: 2), bytes[0] == backslash, bytes[1] == UInt8(ascii: "x")
        else { return nil }
        var value: [UInt8] = []
        value.reserveCapacity(bytes.count / 2 - 1)
        for place in stride(from: 2, to: bytes.count, by: 2) {
            guard let high = ASCII.hexValue(bytes[place]), let low = ASCII.hexValue(bytes[place + 1]) else {
                return nil
            }
            value.append(high << 4 | low)
        }
        return value
    }

    /// Parses the format `escape`: a backslash is doubled, and any other byte may be a backslash with three octal
    /// digits.
    private static func unescaped(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        var value: [UInt8] = []
        value.reserveCapacity(bytes.count)
        var place = 0
        while place < bytes.count {
            guard bytes[place] == backslash else {
                value.append(bytes[place])
                place += 1
                continue
            }
            if place + 1 < bytes.count, bytes[place + 1] == backslash {
                value.append(backslash)
                place += 2
                continue
            }
            guard place + 3 < bytes.count else { return nil }
            var number = 0
            for byte in bytes[place + 1...place + 3] {
                guard (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(byte) else { return nil }
                number = number << 3 | Int(byte - UInt8(ascii: "0"))
            }
            guard let byte = UInt8(exactly: number) else { return nil }
            value.append(byte)
            place += 4
        }
        return value
    }
}
