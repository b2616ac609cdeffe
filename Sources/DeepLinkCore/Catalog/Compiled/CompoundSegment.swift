/// A segment of literals with parameters between them, prepared for matching.
///
/// Each parameter is as short as possible, from the left, and has at least one byte. Ignoring types, this split fits
/// whenever any split does; then the parts must fit their types.
struct CompoundSegment: Sendable {
    /// The condition on one part.
    enum Piece: Sendable {
        /// This text, with the number of bytes to go back on a mismatch (Knuth, Morris and Pratt, 1977).
        case literal([UInt8], fallback: [Int])

        /// A text for the edge's parameter of this index; without an index, any text, which is dropped.
        case parameter(Int?, ScalarType)
    }

    /// The parts in order.
    let pieces: [Piece]

    /// The properties that distinguish it from other segments, without the parameters' names: the literals and the
    /// types.
    let signature: Signature

    /// A part of a signature: the accepted texts, as far as links can distinguish them.
    enum SignaturePiece: Hashable {
        case literal([UInt8])
        case parameter(ScalarType)
    }

    /// The signature: a ``SignaturePiece`` for each part.
    typealias Signature = [SignaturePiece]

    init(_ pieces: [PathPattern.Piece], indexes: [Identifier: Int], parameters: [Parameter]) {
        let text = ScalarType.string(min: nil, max: nil, pattern: nil)
        self.pieces = pieces.map { piece in
            switch piece {
            case .literal(let text): .literal(Array(text.utf8), fallback: Self.fallback(of: Array(text.utf8)))
            case .wildcard: .parameter(nil, text)
            case .parameter(let name):
                .parameter(indexes[name], indexes[name].flatMap { parameters[$0].type.segmentType } ?? text)
            }
        }
        signature = self.pieces.map { piece in
            switch piece {
            case .literal(let bytes, _): .literal(bytes)
            case .parameter(_, let type): .parameter(type)
            }
        }
    }

    /// The indexes of the parameters.
    var parameters: [Int] {
        pieces.compactMap { piece in
            if case .parameter(let index, _) = piece { index } else { nil }
        }
    }

    /// The accepted texts, in words.
    var expectation: String {
        pieces.map { piece in
            switch piece {
            case .literal(let bytes, _): String(decoding: bytes, as: UTF8.self)
            case .parameter(_, let type): "{\(type.expectation)}"
            }
        }
        .joined()
    }

    /// Splits a decoded segment: returns the range of each part that is a parameter, in order; `nil` if it does not
    /// fit, ignoring types.
    ///
    /// - Complexity: linear in the segment.
    func split(_ text: [UInt8]) -> [Range<Int>]? {
        var ranges: [Range<Int>] = []
        var position = 0
        var start: Int?
        for (index, piece) in pieces.enumerated() {
            guard case .literal(let literal, let fallback) = piece else {
                start = position
                continue
            }
            guard let begin = start else {
                guard text.starts(with: literal) else { return nil }
                position = literal.count
                continue
            }
            let found: Int
            if index == pieces.count - 1 {
                found = text.count - literal.count
                guard found > begin, text[found...].elementsEqual(literal) else { return nil }
            } else {
                guard let first = Self.find(literal, fallback: fallback, in: text, from: begin + 1) else { return nil }
                found = first
            }
            ranges.append(begin..<found)
            position = found + literal.count
            start = nil
        }
        guard let begin = start else { return position == text.count ? ranges : nil }
        guard begin < text.count else { return nil }
        return ranges + [begin..<text.count]
    }

    /// Returns whether a segment of a link fits.
    func accepts(_ segment: LinkRange, of link: [UInt8]) -> Bool {
        let text = Array(DecodedBytes(link[segment.start..<segment.end]))
        guard let ranges = split(text) else { return false }
        var next = ranges.startIndex
        for case .parameter(_, let type) in pieces {
            guard type.parse(text[ranges[next]]) != nil else { return false }
            next += 1
        }
        return true
    }

    /// Returns the first parameter that does not accept its part of a segment; `nil` if the literals do not fit.
    func misfit(in segment: LinkRange, of link: [UInt8]) -> (parameter: Int, text: String)? {
        let text = Array(DecodedBytes(link[segment.start..<segment.end]))
        guard let ranges = split(text) else { return nil }
        var next = ranges.startIndex
        for case .parameter(let index, let type) in pieces {
            let part = text[ranges[next]]
            if let index, type.parse(part) == nil { return (index, String(decoding: part, as: UTF8.self)) }
            next += 1
        }
        return nil
    }

    /// Returns the text of a parameter in a segment that fits.
    func text(of parameter: Int, in segment: LinkRange, of link: [UInt8]) -> [UInt8]? {
        let text = Array(DecodedBytes(link[segment.start..<segment.end]))
        guard let ranges = split(text) else { return nil }
        var next = ranges.startIndex
        for case .parameter(let index, _) in pieces {
            if index == parameter { return Array(text[ranges[next]]) }
            next += 1
        }
        return nil
    }

    private static func fallback(of literal: [UInt8]) -> [Int] {
        var fallback = [Int](repeating: 0, count: literal.count)
        var matched = 0
        for index in literal.indices.dropFirst() {
            while matched > 0, literal[index] != literal[matched] { matched = fallback[matched - 1] }
            if literal[index] == literal[matched] { matched += 1 }
            fallback[index] = matched
        }
        return fallback
    }

    private static func find(_ literal: [UInt8], fallback: [Int], in text: [UInt8], from start: Int) -> Int? {
        var matched = 0
        var index = start
        while index < text.count {
            while matched > 0, text[index] != literal[matched] { matched = fallback[matched - 1] }
            if text[index] == literal[matched] { matched += 1 }
            index += 1
            if matched == literal.count { return index - matched }
        }
        return nil
    }
}
