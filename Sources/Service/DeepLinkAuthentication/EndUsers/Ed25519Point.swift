/// The encodings of points of edwards25519 (RFC 8032 §5.1.2) that aren't valid keys.
enum Ed25519Point {
    /// The canonical and other encodings of the points of order 1, 2, 4 and 8, without the bit of the sign: a signature
    /// by such a "key" holds for many messages (eprint.iacr.org/2020/1244, table 6c).
    private static let smallOrder: [[UInt8]] = [
        // Order 4: y = 0.
        [UInt8](repeating: 0, count: 32),
        // Order 1: y = 1.
        [1] + [UInt8](repeating: 0, count: 31),
        // Order 8.
        [
            0x26, 0xE8, 0x95, 0x8F, 0xC2, 0xB2, 0x27, 0xB0, 0x45, 0xC3, 0xF4, 0x89, 0xF2, 0xEF, 0x98, 0xF0, 0xD5, 0xDF,
            0xAC, 0x05, 0xD3, 0xC6, 0x33, 0x39, 0xB1, 0x38, 0x02, 0x88, 0x6D, 0x53, 0xFC, 0x05,
        ],
        // Order 8.
        [
            0xC7, 0x17, 0x6A, 0x70, 0x3D, 0x4D, 0xD8, 0x4F, 0xBA, 0x3C, 0x0B, 0x76, 0x0D, 0x10, 0x67, 0x0F, 0x2A, 0x20,
            0x53, 0xFA, 0x2C, 0x39, 0xCC, 0xC6, 0x4E, 0xC7, 0xFD, 0x77, 0x92, 0xAC, 0x03, 0x7A,
        ],
        // Order 2: y = p - 1.
        [0xEC] + [UInt8](repeating: 0xFF, count: 30) + [0x7F],
        // Order 4, not canonical: y = p.
        [0xED] + [UInt8](repeating: 0xFF, count: 30) + [0x7F],
        // Order 1, not canonical: y = p + 1.
        [0xEE] + [UInt8](repeating: 0xFF, count: 30) + [0x7F],
    ]

    /// Returns whether the 32 bytes of a key encode a point of small order, with either sign.
    static func isOfSmallOrder(_ key: [UInt8]) -> Bool {
        guard let last = key.last else { return false }
        let unsigned = key.dropLast() + [last & 0x7F]
        return smallOrder.contains { $0.elementsEqual(unsigned) }
    }
}
