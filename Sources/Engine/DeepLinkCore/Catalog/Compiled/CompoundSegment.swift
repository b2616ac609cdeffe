/// A segment of literals with parameters between them, prepared for matching.
///
/// ``CompoundSplit`` finds the text of each parameter (decision record 50).
struct CompoundSegment: Sendable {
    /// The condition on one part.
    enum Piece: Sendable {
        /// This text.
        case literal([UInt8])

        /// A text for the edge's parameter of this index or, without an index, any text, which is dropped.
        case parameter(Int?, ScalarType)
    }

    /// The parts in order.
    let pieces: [Piece]

    /// The properties that distinguish the segment from others, without the parameters' names: the literals and the
    /// types.
    let signature: Signature

    /// The parameters, each with the literal after it.
    let parts: [Part]

    /// The literal before the first parameter, empty if there is none.
    let prefix: [UInt8]

    /// A part of a signature: the accepted texts, as far as links can distinguish them.
    enum SignaturePiece: Hashable {
        case literal([UInt8])
        case parameter(ScalarType)
    }

    /// A ``SignaturePiece`` for each part.
    typealias Signature = [SignaturePiece]

    init(_ pieces: [PathPattern.Piece], indexes: [Identifier: Int], parameters: [Parameter]) {
        let text = ScalarType.anyText
        let pieces: [Piece] = pieces.map { piece in
            switch piece {
            case .literal(let text): .literal(Array(text.utf8))
            case .wildcard: .parameter(nil, text)
            case .parameter(let name):
                .parameter(indexes[name], indexes[name].flatMap { parameters[$0].type.segmentType } ?? text)
            }
        }
        self.pieces = pieces
        signature = pieces.map { piece in
            switch piece {
            case .literal(let bytes): .literal(bytes)
            case .parameter(_, let type): .parameter(type)
            }
        }
        var prefix: [UInt8] = []
        var parts: [Part] = []
        for piece in pieces {
            switch piece {
            case .literal(let bytes) where parts.isEmpty: prefix = bytes
            case .literal(let bytes): parts[parts.count - 1].literal = bytes
            case .parameter(let index, let type):
                parts.append(Part(parameter: index, type: type))
                if case .string = type { continue }
                for before in parts.indices.dropLast() { parts[before].isGreedy = true }
            }
        }
        self.prefix = prefix
        self.parts = parts
    }

    /// The literal after the last parameter, empty if there is none.
    var suffix: [UInt8] { parts.last?.literal ?? [] }

    /// The indexes of the parameters.
    var parameters: [Int] { parts.compactMap { $0.parameter } }

    /// The accepted texts, in words.
    var expectation: String {
        pieces.map { piece in
            switch piece {
            case .literal(let bytes): String(decoding: bytes, as: UTF8.self)
            case .parameter(_, let type): "{\(type.expectation)}"
            }
        }
        .joined()
    }

    /// Returns whether a segment of a link fits.
    func accepts(_ segment: LinkRange, of link: [UInt8]) -> Bool {
        CompoundSplit.find(in: SegmentText(segment, of: link), by: self) != nil
    }

    /// Returns whether an unencoded text fits.
    func accepts(_ text: String) -> Bool {
        CompoundSplit.find(in: SegmentText(Array(text.utf8)), by: self) != nil
    }

    /// Returns whether a text may fit in some encoding, without regard to the types.
    func mayAccept(_ text: String) -> Bool {
        CompoundSplit.find(in: SegmentText(Array(text.utf8)), by: self, ignoringTypes: true) != nil
    }

    /// Returns the first parameter that does not accept its part of a segment, or `nil` if the literals do not fit.
    func misfit(in segment: LinkRange, of link: [UInt8]) -> (parameter: Int, text: String)? {
        let text = SegmentText(segment, of: link)
        guard CompoundSplit.find(in: text, by: self) == nil,
            let ranges = CompoundSplit.find(in: text, by: self, ignoringTypes: true)
        else { return nil }
        for (part, range) in zip(parts, ranges) {
            let bytes = text.bytes[range]
            if let index = part.parameter, part.type.parse(bytes) == nil {
                return (index, String(decoding: bytes, as: UTF8.self))
            }
        }
        return nil
    }

    /// Returns the texts of the parts in a segment that fits.
    func texts(in segment: LinkRange, of link: [UInt8]) -> [ArraySlice<UInt8>]? {
        let text = SegmentText(segment, of: link)
        return CompoundSplit.find(in: text, by: self)?.map { text.bytes[$0] }
    }

    /// Prints the segment with a value for each parameter.
    ///
    /// A literal within a value is encoded only if the segment would be split there. If no encoding helps, the printed
    /// text is split elsewhere, and the caller detects it by reading the text again.
    ///
    /// - Complexity: linear in the text for each part.
    func print(_ values: [String]) -> [UInt8] {
        var text = SegmentText()
        text.append(prefix, keeping: .literal)
        var wanted: [Range<Int>] = []
        for (part, value) in zip(parts, values) {
            let start = text.bytes.count
            text.append(value.utf8, keeping: .kept)
            wanted.append(start..<text.bytes.count)
            text.append(part.literal, keeping: .literal)
        }
        // Each literal is found too early at most once, and too late at most once.
        for _ in 0..<2 * parts.count {
            guard let found = CompoundSplit.find(in: text, by: self),
                let place = wanted.indices.first(where: { found[$0].upperBound != wanted[$0].upperBound })
            else { break }
            let isEarly = found[place].upperBound < wanted[place].upperBound
            for value in isEarly ? wanted[place...place] : wanted[(place + 1)...] {
                text.encode(parts[place].literal, within: value, except: wanted[place].upperBound)
            }
        }
        return text.printed
    }
}

extension CompoundSegment {
    /// A parameter, with the literal after it.
    struct Part: Sendable {
        /// The index of the edge's parameter, or `nil` if the text is dropped.
        let parameter: Int?

        let type: ScalarType

        /// The literal after the parameter, empty at the end.
        var literal: [UInt8] = []

        /// Whether the last occurrence of the literal counts, since a later part is of another type than `string`.
        var isGreedy = false

        /// The number of bytes that texts of the type may have.
        let lengths: ClosedRange<Int>

        /// The automaton that reads texts of the type from the end, or `nil` without a pattern.
        let reversed: PatternAutomaton?

        init(parameter: Int?, type: ScalarType) {
            self.parameter = parameter
            self.type = type
            lengths =
                switch type {
                case .string, .double: 1...Int.max
                case .int: 1...20
                case .bool: 1...5
                case .uuid: 36...36
                case .date: 10...10
                case .dateTime: 20...Int.max
                case .enumeration(let words):
                    max(1, words.map { $0.utf8.count }.min() ?? 1)...max(1, words.map { $0.utf8.count }.max() ?? 1)
                }
            reversed = type.patternElements.map { PatternAutomaton([$0.reversed()]) }
        }
    }
}

/// The decoded text of a segment, with the bytes that are sent percent-encoded.
struct SegmentText {
    private(set) var bytes: [UInt8] = []

    /// Whether each byte is encoded, empty if none is.
    private var encoded: [Bool] = []

    /// Creates an empty text.
    init() {}

    /// Creates the text of bytes that are not encoded.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Decodes a segment of a link.
    init(_ segment: LinkRange, of link: [UInt8]) {
        let raw = link[segment.start..<segment.end]
        bytes = Array(DecodedBytes(raw))
        guard bytes.count < raw.count else { return }
        encoded.reserveCapacity(bytes.count)
        var index = raw.startIndex
        while index < raw.endIndex {
            // The parser has checked that two digits follow.
            let isEncoded = raw[index] == ASCII.percent
            encoded.append(isEncoded)
            index += isEncoded ? 3 : 1
        }
    }

    /// Appends a text, encoding all bytes that are not to be kept.
    mutating func append(_ text: some Sequence<UInt8>, keeping kept: ByteSet) {
        for byte in text {
            bytes.append(byte)
            encoded.append(!kept.contains(byte))
        }
    }

    /// Whether some byte may be encoded.
    var hasEncoded: Bool { !encoded.isEmpty }

    /// Returns whether no byte of a range is encoded.
    func isRaw(_ range: Range<Int>) -> Bool { encoded.isEmpty || !encoded[range].contains(true) }

    /// Encodes a byte of each occurrence of a literal that touches a range, except the occurrence at an index.
    mutating func encode(_ literal: [UInt8], within range: Range<Int>, except own: Int) {
        let first = max(0, range.lowerBound - literal.count + 1)
        let places = SegmentText.occurrences(
            of: literal,
            in: bytes[first..<min(bytes.count, range.upperBound + literal.count - 1)]
        )
        for place in places where place != own && isRaw(place..<place + literal.count) {
            encoded[max(place, range.lowerBound)] = true
        }
    }

    /// The text as a segment of a link.
    var printed: [UInt8] {
        var printed: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            if encoded[index] { PercentEncoding.append(escaping: byte, to: &printed) } else { printed.append(byte) }
        }
        return printed
    }

    /// Returns the indexes at which a literal begins, by the algorithm of Knuth, Morris and Pratt (1977).
    ///
    /// - Complexity: linear in the text.
    static func occurrences(of literal: [UInt8], in text: ArraySlice<UInt8>) -> [Int] {
        var fallback = [Int](repeating: 0, count: literal.count)
        var matched = 0
        for index in literal.indices.dropFirst() {
            while matched > 0, literal[index] != literal[matched] { matched = fallback[matched - 1] }
            if literal[index] == literal[matched] { matched += 1 }
            fallback[index] = matched
        }
        var places: [Int] = []
        matched = 0
        for index in text.indices {
            while matched > 0, text[index] != literal[matched] { matched = fallback[matched - 1] }
            if text[index] == literal[matched] { matched += 1 }
            guard matched == literal.count else { continue }
            places.append(index - matched + 1)
            matched = fallback[matched - 1]
        }
        return places
    }
}
