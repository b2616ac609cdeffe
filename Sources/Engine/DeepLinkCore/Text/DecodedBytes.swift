/// Percent-encoded bytes, iterated as the decoded bytes, without a copy.
///
/// The bytes come from a ``DeepLink``, whose parser has checked every escape.
struct DecodedBytes: Sequence, IteratorProtocol {
    private let bytes: ArraySlice<UInt8>
    private let plusIsSpace: Bool
    private var index: Int

    /// Iterates over the bytes of a path or, with `plusIsSpace`, those of a query in which a plus means a space.
    init(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool = false) {
        self.bytes = bytes
        self.plusIsSpace = plusIsSpace
        index = bytes.startIndex
    }

    @inline(__always)
    mutating func next() -> UInt8? {
        guard index < bytes.endIndex else { return nil }
        let byte = bytes[index]
        guard byte == ASCII.percent, index + 2 < bytes.endIndex, let high = ASCII.hexValue(bytes[index + 1]),
            let low = ASCII.hexValue(bytes[index + 2])
        else {
            index += 1
            return plusIsSpace && byte == ASCII.plus ? ASCII.space : byte
        }
        index += 3
        return high << 4 | low
    }
}
