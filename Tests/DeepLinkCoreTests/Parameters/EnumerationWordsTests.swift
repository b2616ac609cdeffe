import Testing

@testable import DeepLinkCore

/// The words of enumerations, which are found by their bytes.
@Suite struct EnumerationWordsTests {
    @Test(arguments: [2, 8, 9, 500])
    func `a word is found by its bytes, and by no others`(_ count: Int) {
        let list = (0..<count - 1).map { "word\($0)" } + ["\u{FFFD}"]
        let words = EnumerationWords(list)
        for word in list { #expect(words.word(of: word.utf8) == word) }
        for other in ["", "word", "Word0", "word0 ", "word\(count)"] { #expect(words.word(of: other.utf8) == nil) }
        // Bytes that are no UTF-8 become a replacement character in a text.
        #expect(words.word(of: [0xFF]) == nil)
        #expect(words.word(of: [0xC3]) == nil)
    }

    @Test func `two spellings of one letter are two words`() {
        let words = EnumerationWords(["caf\u{E9}"] + (0..<20).map(String.init))
        #expect(words.word(of: "cafe\u{301}".utf8) == nil)
        #expect(words != EnumerationWords(["cafe\u{301}"] + (0..<20).map(String.init)))
    }

    @Test(arguments: [3, 300])
    func `words in common are found from either side`(_ count: Int) {
        let words = EnumerationWords((0..<count).map { "a\($0)" })
        let others = EnumerationWords((0..<count * 2).map { "b\($0)" })
        let shared = EnumerationWords((0..<count * 2).map { "b\($0)" } + ["a1"])
        #expect(words.overlaps(words) && words.overlaps(shared) && shared.overlaps(words))
        #expect(!words.overlaps(others) && !others.overlaps(words) && !EnumerationWords([]).overlaps(words))
    }

    @Test func `the order counts`() {
        #expect(EnumerationWords(["a", "b"]) == ["a", "b"])
        #expect(EnumerationWords(["a", "b"]) != ["b", "a"])
        #expect(Set([EnumerationWords(["a"]), ["a"], ["b"]]).count == 2)
    }
}
