import Testing
import WaymarkTestSupport

@testable import DeepLinkCore

@Suite struct ByteWordTests {
    private static func bytes(_ count: Int, _ generator: inout SeededGenerator) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    @Test func `eight bytes at once say what one by one says`() {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<20_000 {
            var bytes = Self.bytes(8, &generator)
            let wanted = UInt8.random(in: .min ... .max, using: &generator)
            if generator.oneIn(2) { bytes[Int.random(in: 0..<8, using: &generator)] = wanted }
            let word = ByteWord(bytes.span, from: 0)
            #expect(word.firstIndex(of: wanted) == bytes.firstIndex(of: wanted) ?? 8, "\(bytes) \(wanted)")
            #expect(word.contains(wanted) == bytes.contains(wanted), "\(bytes) \(wanted)")
            let isPlain = bytes.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
            #expect(word.isPlainJSON == isPlain, "\(bytes)")
        }
    }

    @Test func `a word of fewer bytes ends in zeros, wherever it stands`() {
        var generator = SeededGenerator(seed: 2)
        for count in 1...20 {
            let bytes = Self.bytes(count, &generator)
            for start in 0..<count {
                for end in (start + 1)...count {
                    var wanted: UInt64 = 0
                    for (place, byte) in bytes[start..<end].prefix(8).enumerated() {
                        wanted |= UInt64(byte) << UInt64(place * 8)
                    }
                    let word = ByteWord(bytes.span, from: start, to: end)
                    #expect(word.value == wanted, "\(bytes) \(start)..<\(end)")
                }
            }
        }
    }

    @Test func `stretches are equal where all their bytes are`() {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<5000 {
            let count = Int.random(in: 0...24, using: &generator)
            let start = Int.random(in: 0...9, using: &generator)
            let first = Int.random(in: 0...9, using: &generator)
            let bytes = Self.bytes(start + count + 3, &generator)
            var others = Self.bytes(first + count + 3, &generator)
            others.replaceSubrange(first..<first + count, with: bytes[start..<start + count])
            let range = start..<start + count
            let areEqual = ByteWord.areEqual(bytes.span, range: range, others: others.span, from: first)
            #expect(areEqual, "\(bytes[start..<start + count])")
            guard count > 0 else { continue }
            others[first + Int.random(in: 0..<count, using: &generator)] ^= 1
            let areStillEqual = ByteWord.areEqual(bytes.span, range: range, others: others.span, from: first)
            #expect(!areStillEqual, "\(bytes[start..<start + count])")
        }
    }
}
