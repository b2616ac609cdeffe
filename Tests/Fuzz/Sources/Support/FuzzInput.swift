/// The input of libFuzzer.
struct FuzzInput {
    /// The bytes, as they are.
    let bytes: [UInt8]

    /// Copies the bytes; there may be none.
    init(_ start: UnsafePointer<UInt8>?, _ count: Int) {
        bytes = Array(UnsafeBufferPointer(start: start, count: count))
    }

    /// The text before the first line break, and the text between it and the next; without one, there is no second.
    var twoLines: (first: [UInt8], second: [UInt8]?) {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false)
        return (lines.first.map { Array($0) } ?? [], lines.dropFirst().first.map { Array($0) })
    }

    /// A number that depends on every byte (FNV-1a).
    var digest: UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
