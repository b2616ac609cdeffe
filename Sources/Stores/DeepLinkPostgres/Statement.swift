/// A statement with the values of its parameters, which are sent to the server separately.
struct Statement {
    let sql: String
    let values: [SQLValue]

    init(_ sql: String, values: [SQLValue]) {
        self.sql = sql
        self.values = values
    }

    init(_ sql: String, _ values: SQLValue...) { self.init(sql, values: values) }

    /// Whether the statement would change nothing, since the lists that it writes are empty.
    var hasNoRows: Bool {
        switch values.first {
        case .numbers(let list): list.isEmpty
        case .texts(let list): list.isEmpty
        case .byteStrings(let list): list.isEmpty
        case .number, .text, .bytes, nil: false
        }
    }
}

extension Statement: ExpressibleByStringInterpolation {
    init(stringLiteral sql: String) { self.init(sql) }
}

/// The value of a parameter.
///
/// The statement defines its type (`$1::bigint`).
enum SQLValue {
    case number(Int64?)
    case text(String?)
    case bytes([UInt8])
    case numbers([Int64?])
    case texts([String?])
    case byteStrings([[UInt8]])

    /// Returns the value in PostgreSQL's text format, terminated by NUL, or `nil` for NULL.
    ///
    /// - Throws: ``PostgresError`` if a text contains NUL, which PostgreSQL cannot store.
    func encoded() throws(PostgresError) -> [UInt8]? {
        var bytes: [UInt8]
        switch self {
        case .number(nil), .text(nil): return nil
        case .number(let number?): bytes = Array(String(number).utf8)
        case .text(let text?): bytes = Array(text.utf8)
        case .bytes(let value): bytes = Self.hexadecimal(value)
        case .numbers(let list):
            bytes = Self.array(list) { number, bytes in
                bytes += number.map { String($0) }.map { Array($0.utf8) } ?? Self.null
            }
        case .texts(let list):
            bytes = Self.array(list) { text, bytes in
                guard let text else {
                    bytes += Self.null
                    return
                }
                Self.quote(text.utf8, bytes: &bytes)
            }
        case .byteStrings(let list):
            bytes = Self.array(list) { value, bytes in Self.quote(Self.hexadecimal(value), bytes: &bytes) }
        }
        guard !bytes.contains(0) else { throw .unexpected("a text with a NUL character") }
        bytes.append(0)
        return bytes
    }

    private static let null = Array("NULL".utf8)

    /// Writes an array (postgresql.org/docs/15/arrays.html#ARRAYS-IO).
    private static func array<Element>(_ list: [Element], write: (Element, inout [UInt8]) -> Void) -> [UInt8] {
        var bytes = [UInt8(ascii: "{")]
        for (index, element) in list.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            write(element, &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    private static func quote(_ text: some Sequence<UInt8>, bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes `bytea` (postgresql.org/docs/15/datatype-binary.html).
    private static func hexadecimal(_ value: [UInt8]) -> [UInt8] {
        let digits = Array("0123456789abcdef".utf8)
        var bytes = Array("\\x".utf8)
        bytes.reserveCapacity(2 + value.count * 2)
        for byte in value {
            bytes.append(digits[Int(byte >> 4)])
            bytes.append(digits[Int(byte & 15)])
        }
        return bytes
    }
}
