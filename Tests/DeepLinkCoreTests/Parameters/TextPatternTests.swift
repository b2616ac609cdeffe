import Testing
import WaymarkTestSupport

@testable import DeepLinkCore

@Suite struct TextPatternTests {
    @Test(arguments: [
        ("[a-z0-9-]{1,64}", ["a", "a-9"], ["", "A", "a_b"]),
        ("@[a-z]+", ["@me"], ["@", "me", "@Me", "@me@"]),
        ("\\d+", ["0", "0123"], ["", "1a", "٣"]),
        ("\\w{2}", ["a_", "Z9"], ["a", "a-b", "abc"]),
        ("[a-z]+[a-z0-9]+", ["ab", "a1", "abc9"], ["a", "1a", "9"]),
        ("[a-z0-9-]+-\\d+", ["a-b-7", "--7"], ["-7", "a-b", "a-7-"]),
        ("[^/]{2,}", ["ab", "é€"], ["a", "a/b"]),
        ("x[ab]?y*", ["x", "xa", "xby", "xyyy"], ["", "xc", "xaby "]),
        ("[\\]\\-a]+\\.\\{", ["]-a.{"], ["b.{", "a.", "a{"]),
        ("é", ["é"], ["e", "e\u{301}"]),
        ("a{0}", [""], ["a"]),
        ("a{2,3}b{0,1}", ["aa", "aaa", "aab", "aaab"], ["a", "ab", "aaaa", "aabb"]),
    ])
    func `a pattern describes whole texts`(_ source: String, _ accepted: [String], _ refused: [String]) throws {
        let pattern = try TextPattern(source)
        for text in accepted { #expect(pattern.matches(text), "\(text)") }
        for text in refused { #expect(!pattern.matches(text), "\(text)") }
    }

    @Test(arguments: [
        "", "[a-z", "[a-", "[a", "a|b", "(a)", ".", "^a", "a$", "[", "[]", "[z-a]", "a{2", "a{x}", "a{3,1}", "a{1,2,3}",
        "\\q", "\\", "+a",
        "a{9999}", "{2}", "a}",
    ])
    func `what the syntax does not know is refused`(_ source: String) {
        #expect(throws: PatternError.self) { try TextPattern(source) }
    }

    @Test(arguments: [
        ("[a-z]+", "[0-9]+", false),
        ("[a-z]+", "[m-z]{3}", true),
        ("t-[a-z]+", "[a-z]+-x", true),
        ("t-[a-z]+", "u-[a-z]+", false),
        ("[a-z]{1,64}", "[a-z]{65,128}", false),
        ("a*", "b*", true),
        ("a*b", "a*c", false),
        ("\\d+", "[^0-9]+", false),
    ])
    func `two patterns overlap only if some text fits both`(_ left: String, _ right: String, _ overlap: Bool) throws {
        var budget = 100_000
        #expect(TextPatternOverlap.exists(try TextPattern(left), try TextPattern(right), budget: &budget) == overlap)
        #expect(TextPatternOverlap.exists(try TextPattern(right), try TextPattern(left), budget: &budget) == overlap)
        #expect(budget < 100_000)
    }

    @Test func `matching a hostile text is linear`() throws {
        // Backtracking would take longer than the age of the universe here.
        let pattern = try TextPattern(String(repeating: "[ab]+", count: 40) + "c")
        #expect(!pattern.matches(String(repeating: "ab", count: 2_000)))
    }

    @Test func `the automaton accepts what following each element does`() throws {
        var generator = SeededGenerator(seed: 11)
        let classes = ["a", "b", "[ab]", "[^a]", "é", "\\w"]
        let lengths = ["", "", "+", "*", "?", "{2}", "{0,3}", "{2,}", "{65,70}", "{0,66}", "{66,}", "{1,66}"]
        var accepted = 0
        for _ in 0..<Effort.part(of: 4_000) {
            let source = (0..<Int.random(in: 1...5, using: &generator))
                .map { _ in generator.pick(classes) + generator.pick(lengths) }.joined()
            let pattern = try TextPattern(source)
            for _ in 0..<6 {
                var text = ""
                for _ in 0..<Int.random(in: 0...4, using: &generator) {
                    let count = generator.pick([0, 1, 1, 2, 3, 65, 66, 70])
                    text += String(repeating: generator.pick(["a", "b", "é", "c"]), count: count)
                }
                let want = reads(pattern.elements[...], Array(text.unicodeScalars.map(\.value)))
                #expect(pattern.matches(text) == want, "\(source) and \(text)")
                accepted += want ? 1 : 0
            }
        }
        #expect(accepted > Effort.part(of: 1_000), "\(accepted)")
    }

    /// Follows all positions that the elements can have reached, one element after another.
    private func reads(_ elements: ArraySlice<TextPattern.Element>, _ text: [UInt32]) -> Bool {
        var reached: Set<Int> = [0]
        for element in elements {
            var next: Set<Int> = []
            for start in reached {
                var end = start
                while true {
                    if end - start >= element.minimum { next.insert(end) }
                    guard end < text.count, end - start < element.maximum, element.characters.contains(text[end]) else {
                        break
                    }
                    end += 1
                }
            }
            reached = next
        }
        return reached.contains(text.count)
    }
}
