import DeepLinkCore
import Testing
import WaymarkTestSupport

@testable import DeepLinkStorage

/// Tests of the form in which stores hold destinations: it never changes, and any bytes are read without harm.
@Suite struct ShortLinkTargetTests {
    private static let values: [ParameterValue] = [
        .string(""), .string("é\u{0}\"\\"), .int(0), .int(-1), .int(.max), .int(.min), .double(-0.5), .double(1e300),
        .bool(true), .bool(false), .list([]), .list([.int(1), .string("x"), .list([.bool(true)])]), .object([]),
        .object([
            BoundParameter(name: "from", value: .string("a")), BoundParameter(name: "to", value: .object([])),
        ]),
    ]

    private func stack(_ values: [ParameterValue]) -> [Destination] {
        let parameters = values.enumerated().map { BoundParameter(name: "p\($0.offset)", value: $0.element) }
        return [
            Destination(route: "shop", presentation: .tab),
            Destination(route: "offer", presentation: .push, parameters: parameters),
        ]
    }

    @Test func `what is stored of a stack is the same in every version`() {
        let target = ShortLinkTarget(stack: stack([.string("é"), .int(-3), .bool(true), .double(1)]), text: "")
        #expect(target.shape.text == "tab shop\npush offer")
        let values: [[UInt8]] = [
            [1, 0, 4], [2, 0x70, 0x30, 0, 2, 0xC3, 0xA9], [2, 0x70, 0x31, 1, 5], [2, 0x70, 0x32, 3],
            [2, 0x70, 0x33, 2, 0, 0, 0, 0, 0, 0, 0xF0, 0x3F],
        ]
        #expect(target.values == values.flatMap(\.self))
        let nested = ShortLinkTarget(stack: stack([.list([.bool(false)]), .object([])]), text: "")
        #expect(nested.values == [1, 0, 2, 2, 0x70, 0x30, 5, 1, 4, 2, 0x70, 0x31, 6, 0])
        #expect(ShortLinkTarget(stack: [], text: "").values == [1])
    }

    @Test(arguments: values)
    func `a value is read as it was written`(_ value: ParameterValue) {
        for values in [[value], [value, value], [.list([value]), .object([BoundParameter(name: "n", value: value)])]] {
            let stack = stack(values)
            #expect(ShortLinkTarget(stack: stack, text: "x").stack == stack)
        }
    }

    @Test func `a stack is read back however deep a catalog nests its values`() {
        var value = ParameterValue.int(7)
        for level in 0..<60 {
            value = level % 2 == 0 ? .list([value]) : .object([BoundParameter(name: "n", value: value)])
        }
        let stack = stack([value])
        #expect(ShortLinkTarget(stack: stack, text: "").stack == stack)
    }

    @Test func `bytes that no stack has are none`() {
        let shape = ShortLinkShape(stack([]))
        let whole = ShortLinkTarget(stack: stack(Self.values), text: "").values
        func isStack(_ bytes: [UInt8]) -> Bool { ShortLinkTarget(shape: shape, values: bytes, text: "").stack != nil }
        #expect(isStack(whole))
        for count in whole.indices { #expect(!isStack(Array(whole.prefix(count)))) }
        var others: [[UInt8]] = [
            [1, 0, 1, 1, 0x70, 7], [1, 0, 1, 1, 0xFF, 3],
            // Numbers that are too large, for a length, for a count and for 64 bits.
            [1, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F], [1, 0, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 0x70],
            [1, 0, 1, 1, 0x70, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 2],
            // No number, and infinity.
            [1, 0, 1, 1, 0x70, 2, 0, 0, 0, 0, 0, 0, 0xF8, 0x7F], [1, 0, 1, 1, 0x70, 2, 0, 0, 0, 0, 0, 0, 0xF0, 0x7F],
        ]
        // A byte more, and another version of the form.
        others.append(whole + [0])
        others.append([2] + Array(whole.dropFirst()))
        for bytes in others { #expect(!isStack(bytes), "\(bytes)") }
        let deep: [UInt8] = [1, 0, 1, 1, 0x70]
        #expect(!isStack(deep + [UInt8](repeating: 5, count: 1_000_000)))
    }

    @Test func `any bytes are read, and what they say is written and read as the same`() {
        var generator = SeededGenerator(seed: 23)
        let shape = ShortLinkShape(stack([]))
        let whole = ShortLinkTarget(stack: stack(Self.values), text: "").values
        var readCount = 0
        for _ in 0..<Effort.part(of: 1_000_000) {
            var bytes = whole
            for _ in 0...Int.random(in: 0..<3, using: &generator) {
                let place = Int.random(in: bytes.indices, using: &generator)
                if generator.oneIn(8) { bytes.remove(at: place) } else { bytes[place] = generator.pick(Array(0...255)) }
            }
            guard let stack = ShortLinkTarget(shape: shape, values: bytes, text: "").stack else { continue }
            readCount += 1
            #expect(ShortLinkTarget(stack: stack, text: "").stack == stack)
        }
        #expect(readCount > 0)
    }

    @Test func `a shape has any names of routes, and no other text is one`() {
        let names = ["offer", "new\nline", "back\\slash", "\\n", "two words", "é", "e\u{301}", ""]
        let stack = names.map { Destination(route: $0, presentation: .push) }
        let shape = ShortLinkShape(stack)
        #expect(shape.destinations == stack)
        #expect(shape.route == "")
        #expect(ShortLinkShape(Array(stack.dropLast(2))).route.bytewise == "é".bytewise)
        #expect(ShortLinkShape([stack[5]]) != ShortLinkShape([stack[6]]))
        for presentation: Presentation in [.root, .tab, .push, .sheet, .bottomSheet, .fullScreenCover] {
            let one = [Destination(route: "r", presentation: presentation)]
            #expect(ShortLinkShape(text: ShortLinkShape(one).text).destinations == one)
        }
        #expect(ShortLinkShape([]).destinations == [])
        for text in ["push", "jump offer", "push a\n", "\npush a", "push a\\x", "push a\\"] {
            #expect(ShortLinkShape(text: text).destinations == nil, "\(text)")
            #expect(ShortLinkTarget(shape: ShortLinkShape(text: text), values: [1], text: "").stack == nil)
        }
    }
}
