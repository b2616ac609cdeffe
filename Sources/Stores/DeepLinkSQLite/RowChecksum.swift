/// The checksum of a row: 64 bits over its table and the values of its columns, in order.
///
/// It detects damage, not manipulation: anyone with write access to the file can also write checksums. Each step is a
/// bijection of 64 bits, so two rows that differ in one number, or in eight bytes of one text, never have the same
/// checksum. Any other two rows have the same checksum with a probability of 2^-64.
///
/// It is FNV-1a (RFC 9923), applied to eight bytes at a time, with a shift that mixes the upper half into the lower. A
/// table-driven CRC costs four times as much, and every lookup of a user in the file computes a checksum. The algorithm
/// must not change, since stored rows contain its results.
struct RowChecksum {
    private static let prime: UInt64 = 0x0000_0100_0000_01B3

    /// The value used for NULL, a number that columns never contain.
    private static let null: UInt64 = 0x9E37_79B9_7F4A_7C15

    private var state: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Begins the checksum of a row in a table.
    init(table: String) { add(table) }

    /// The checksum of the added values, as stored in the database.
    var value: Int64 { Int64(bitPattern: state) }

    /// Adds a number, or NULL for `nil`.
    mutating func add(_ number: Int64?) { step(number.map(UInt64.init(bitPattern:)) ?? Self.null) }

    /// Adds a text.
    mutating func add(_ text: String) {
        var text = text
        text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
    }

    /// Adds bytes and their number.
    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        step(UInt64(bytes.count))
        var offset = 0
        while offset + 8 <= bytes.count {
            step(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
            offset += 8
        }
        guard offset < bytes.count else { return }
        var word: UInt64 = 0
        for byte in bytes[offset...].reversed() { word = word << 8 | UInt64(byte) }
        step(word)
    }

    private mutating func step(_ word: UInt64) {
        state = (state ^ word) &* Self.prime
        state ^= state >> 32
    }
}
