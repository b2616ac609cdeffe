import Testing

@testable import DeepLinkCore

@Suite struct ShortListTests {
    @Test func `values are kept in order, in place and beyond`() {
        var list = ShortList<MatchStep>()
        var wanted: [MatchStep] = []
        for index in 0..<30 {
            let step = MatchStep(chain: ChainIndex(index * 70_000_000), start: index * 273, end: 8192 - index)
            list.append(step)
            wanted.append(step)
            #expect(Array(list) == wanted)
        }
        while !wanted.isEmpty {
            list.removeLast()
            wanted.removeLast()
            #expect(Array(list) == wanted)
        }
    }

    @Test func `a query pair survives being kept as a word`() {
        for pair in [
            LinkPair(start: 1, equals: nil, end: 1, isNameEncoded: false),
            LinkPair(start: 8000, equals: 8191, end: 8192, isNameEncoded: true),
            LinkPair(start: 30, equals: 34, end: 35, isNameEncoded: false),
        ] {
            #expect(LinkPair(word: pair.word) == pair)
        }
    }
}
