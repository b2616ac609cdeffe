import Testing
import WaymarkTestSupport

@testable import DeepLinkCore

/// Compares the split of compound segments with one that tries every place, on generated segments.
@Suite struct CompoundSegmentTests {
    private static let types: [ScalarType] = [
        .string(min: nil, max: nil, pattern: nil), .string(min: nil, max: nil, pattern: nil), .int(min: nil, max: nil),
        .string(min: 2, max: 4, pattern: nil), .string(min: nil, max: nil, pattern: try? TextPattern("[a-z-]+")),
        .string(min: nil, max: 3, pattern: try? TextPattern("[a1.-]+")), .double(min: nil, max: nil), .date,
        .enumeration(["a", "-", "a-a", "é"]), .bool, .int(min: 0, max: 9),
    ]
    private static let literals = ["-", "-", "a", "--", "1", ".", ":", "é", "a-"]
    private static let names: [Identifier] = ["p", "q", "r", "s"]

    /// Makes a segment of two to four parameters, maybe with a literal at each end.
    private func anySegment(_ generator: inout SeededGenerator) -> CompoundSegment {
        var pieces: [PathPattern.Piece] = generator.oneIn(4) ? [.literal(generator.pick(Self.literals))] : []
        var parameters: [Parameter] = []
        for name in Self.names.prefix(generator.pick([1, 2, 2, 3, 4])) {
            if !parameters.isEmpty { pieces.append(.literal(generator.pick(Self.literals))) }
            pieces.append(.parameter(name))
            parameters.append(Parameter(name: name, type: .scalar(generator.pick(Self.types))))
        }
        if generator.oneIn(4) { pieces.append(.literal(generator.pick(Self.literals))) }
        let indexes = Dictionary(parameters.indices.map { (parameters[$0].identifier, $0) }) { one, _ in one }
        return CompoundSegment(pieces, indexes: indexes, parameters: parameters)
    }

    /// Makes a text of the parts that segments have, some of them percent-encoded.
    private func anyText(_ generator: inout SeededGenerator, count: ClosedRange<Int> = 1...9) -> String {
        let parts = [
            "-", "a", "1", ".", ":", "2024-05-01", "--", "é", "%2D", "%61", "%C3%A9", "%3A", "x", "-7", "true",
        ]
        return (0..<Int.random(in: count, using: &generator)).map { _ in generator.pick(parts) }.joined()
    }

    /// Makes a text with the literals of a segment, which often fits it.
    private func likelyText(for segment: CompoundSegment, _ generator: inout SeededGenerator) -> String {
        var text = String(decoding: segment.prefix, as: UTF8.self)
        for part in segment.parts {
            let word = generator.pick(["a", "7", "-7", "2024-05-01", "a-a", "true", "1.5", "a--1", "x", "-"])
            text += part.type.value(of: word) == nil && generator.oneIn(2) ? anyText(&generator, count: 1...2) : word
            let literal = String(decoding: part.literal, as: UTF8.self)
            text += generator.oneIn(4) ? part.literal.map { "%" + String($0, radix: 16) }.joined() : literal
        }
        return text
    }

    private func split(_ text: String, _ segment: CompoundSegment) -> [String]? {
        let bytes = Array(text.utf8)
        let text = SegmentText(LinkRange(0, bytes.count), of: bytes)
        return CompoundSplit.find(in: text, by: segment)?
            .map { String(decoding: text.bytes[$0], as: UTF8.self) }
    }

    @Test func `a segment is split where trying every place finds the first split that fits`() {
        var generator = SeededGenerator(seed: 50)
        var (fitting, ambiguous) = (0, 0)
        for _ in 0..<Effort.part(of: 400_000) {
            let segment = anySegment(&generator)
            let text = generator.oneIn(4) ? anyText(&generator) : likelyText(for: segment, &generator)
            let all = NaiveSplit(segment.signature).all(text)
            #expect(split(text, segment) == all.first, "`\(text)` by \(segment.expectation)")
            fitting += all.isEmpty ? 0 : 1
            ambiguous += all.count > 1 ? 1 : 0
        }
        #expect(ambiguous > Effort.part(of: 3_000), "\(ambiguous) of \(fitting)")
    }

    @Test func `what is printed is split into the same values, and is encoded only where it must be`() {
        var generator = SeededGenerator(seed: 51)
        var (printed, encoded) = (0, 0)
        for _ in 0..<Effort.part(of: 400_000) {
            let segment = anySegment(&generator)
            // Of a literal that no link has as it is, nothing tells one within a value.
            guard segment.parts.allSatisfy({ $0.literal.allSatisfy(ByteSet.literal.contains) }) else { continue }
            let values = segment.parts.map { part -> String in
                let text = PercentEncoding.decode(Array(anyText(&generator).utf8)[...])
                return part.type.value(of: text)?.text
                    ?? generator.pick(["-7", "a", "2024-05-01", "true", "1.5", "a-a"])
            }
            guard zip(segment.parts, values).allSatisfy({ $0.type.value(of: $1)?.text == $1 }) else { continue }
            let text = String(decoding: segment.print(values), as: UTF8.self)
            printed += 1
            #expect(split(text, segment) == values, "\(values) print `\(text)` by \(segment.expectation)")
            let plain = PathPlain.text(segment, values)
            guard plain != text else { continue }
            encoded += 1
            #expect(split(plain, segment) != values, "\(values) print `\(text)`, not `\(plain)`")
        }
        #expect(printed > Effort.part(of: 40_000), "\(printed)")
        #expect(encoded > Effort.part(of: 2_000), "\(encoded)")
    }

    @Test func `the more specific of two segments fits nothing that the other one does not`() {
        var generator = SeededGenerator(seed: 52)
        var narrower = 0
        for _ in 0..<Effort.part(of: 40_000) {
            let (one, other) = (anySegment(&generator), anySegment(&generator))
            var budget = 100_000
            guard TypeOverlap.isNarrower(one, than: other, budget: &budget) else { continue }
            narrower += 1
            var back = 100_000
            #expect(!TypeOverlap.isNarrower(other, than: one, budget: &back))
            // A pattern is slightly wider than a date; the types here that have no pattern of their own fit any text.
            guard other.parts.allSatisfy({ $0.type == Self.types[0] }) else { continue }
            for _ in 0..<5 {
                let text = anyText(&generator).replacing("%", with: "x")
                #expect(
                    split(text, one) == nil || split(text, other) != nil,
                    "`\(text)` by \(one.expectation), not by \(other.expectation)"
                )
            }
        }
        #expect(narrower > Effort.part(of: 800), "\(narrower)")
    }
}

/// The text of values and literals without a regard to where it is split.
private enum PathPlain {
    static func text(_ segment: CompoundSegment, _ values: [String]) -> String {
        var text = PercentEncoding.encode(literal: String(decoding: segment.prefix, as: UTF8.self))
        for (part, value) in zip(segment.parts, values) {
            text += PercentEncoding.encode(value)
            text += PercentEncoding.encode(literal: String(decoding: part.literal, as: UTF8.self))
        }
        return text
    }
}
