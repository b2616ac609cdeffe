/// A hash of bytes that nobody can foresee: its start is drawn for each value.
///
/// Each step multiplies eight bytes, mixed with all before, and folds the product. It serves caches in which keys of one
/// hash only supplant each other, and has none of the strength, and the cost, of `Hasher`.
struct SeededHash: Sendable {
    private static let factor: UInt64 = 0x9E37_79B9_7F4A_7C15

    private let seed = UInt64.random(in: 0 ... .max)

    /// Returns the hash of bytes.
    ///
    /// - Complexity: linear in the bytes.
    func callAsFunction(_ bytes: Span<UInt8>) -> Int {
        let words = bytes.bytes
        var hash = seed ^ UInt64(bytes.count)
        var index = 0
        while index &+ 8 <= bytes.count {
            hash = Self.mixed(hash, words.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
            index &+= 8
        }
        var rest: UInt64 = 0
        while index < bytes.count {
            rest = rest << 8 | UInt64(bytes[index])
            index &+= 1
        }
        return Int(truncatingIfNeeded: Self.mixed(Self.mixed(hash, rest), seed))
    }

    @inline(__always)
    private static func mixed(_ hash: UInt64, _ word: UInt64) -> UInt64 {
        let product = (hash ^ word).multipliedFullWidth(by: factor)
        return product.high ^ product.low
    }
}
