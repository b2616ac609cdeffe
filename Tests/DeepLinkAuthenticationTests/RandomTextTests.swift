import Testing
import WaymarkTestSupport

@testable import DeepLinkAuthentication

@Suite struct RandomTextTests {
    /// A source that says the same words again and again, and counts them.
    private struct RepeatingGenerator: RandomNumberGenerator {
        let words: [UInt64]
        var count = 0

        mutating func next() -> UInt64 {
            defer { count += 1 }
            return words[count % words.count]
        }
    }

    private static let digits = Array("0123456789abcdef".utf8)
    private static let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

    @Test func `every part of a word is used, the lowest first`() {
        var generator = RepeatingGenerator(words: [0x0123_4567_89ab_cdef, 0xffff_ffff_ffff_fff2])
        #expect(RandomText.draw(18, of: Self.digits, using: &generator) == "fedcba98765432102f")
        #expect(generator.count == 2)
    }

    @Test func `a part that numbers no character is dropped`() {
        var generator = RepeatingGenerator(words: [0x0123_4567_89ab_cdef])
        #expect(RandomText.draw(12, of: Array(Self.digits.prefix(10)), using: &generator) == "987654321098")
        #expect(generator.count == 2)
    }

    @Test func `an alphabet of one character has one text of each length`() {
        var generator = RepeatingGenerator(words: [0, .max])
        #expect(RandomText.draw(3, of: [UInt8(ascii: "a")], using: &generator) == "aaa")
        #expect(RandomText.draw(0, of: [UInt8(ascii: "a")], using: &generator).isEmpty)
    }

    @Test(arguments: [2, 3, 10, 16, 33, 36, 62])
    func `every character is as likely as any other, at every place of the text`(_ size: Int) {
        let alphabet = Self.alphabet.prefix(size)
        let (expected, length) = (100, 43)
        var generator = SeededGenerator(seed: UInt64(size))
        var counts = Array(repeating: [UInt8: Int](), count: length)
        for _ in 0..<size * expected {
            let text = RandomText.draw(length, of: Array(alphabet), using: &generator)
            for (place, character) in text.utf8.enumerated() { counts[place][character, default: 0] += 1 }
        }
        for count in counts {
            #expect(Set(count.keys) == Set(alphabet))
            // Pearson's statistic has the mean size - 1, and a variance of twice that.
            let statistic = count.values.reduce(0.0) {
                $0 + Double(($1 - expected) * ($1 - expected)) / Double(expected)
            }
            let freedom = Double(size - 1)
            #expect(statistic < freedom + 6 * (2 * freedom).squareRoot() + 6)
        }
    }

    @Test func `a secret of 43 characters takes few words`() {
        var generator = SeededGenerator(seed: 1)
        var counting = RepeatingGenerator(words: (0..<1_000).map { _ in generator.next() })
        for _ in 0..<100 { #expect(RandomText.draw(43, of: Self.alphabet, using: &counting).utf8.count == 43) }
        // Ten parts each, of which one in 32 is dropped.
        #expect(counting.count <= 550)
    }
}
