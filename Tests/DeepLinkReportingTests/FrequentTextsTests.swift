import DeepLinkCore
import DeepLinkReporting
import Testing

@Suite
struct FrequentTextsTests {
    @Test
    func `the most frequent of a million different texts are found, within the bound`() {
        var texts = FrequentTexts(capacity: 2000)
        var truth: [Int: Int] = [:]
        var random: UInt64 = 7
        func next() -> UInt64 {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return random >> 33
        }
        let (frequent, count) = (100, 300_000)
        for index in 0..<count {
            // Half of all are a hundred texts, the first of them the most frequent; the rest comes once each.
            if index % 2 == 0 {
                let one = Int(min(next() % 100, next() % 100))
                truth[one, default: 0] += 1
                texts.count("frequent \(one)".bytewise)
            } else {
                texts.count("rare \(index)".bytewise)
            }
        }
        let bound = count / texts.capacity
        let top = texts.top(frequent)
        #expect(texts.total == count)
        for entry in top {
            #expect(entry.error <= bound)
            guard entry.text.string.hasPrefix("frequent"),
                let number = Int(entry.text.string.dropFirst("frequent ".count))
            else { continue }
            let actual = truth[number] ?? 0
            #expect(entry.count >= actual && entry.count - entry.error <= actual)
        }
        let found = Set(top.map(\.text))
        for (one, actual) in truth where actual > 2 * bound {
            #expect(found.contains("frequent \(one)".bytewise), "\(one): \(actual)")
        }
    }

    @Test
    func `fewer texts than there is room for are counted exactly`() {
        var texts = FrequentTexts(capacity: 3)
        for text in ["a", "b", "a", "c", "a", "b"] { texts.count(text.bytewise) }
        #expect(texts.top(2).map(\.text) == ["a", "b"])
        #expect(texts.top(3).map(\.count) == [3, 2, 1])
        #expect(texts.top(3).allSatisfy { $0.error == 0 })
    }
}
