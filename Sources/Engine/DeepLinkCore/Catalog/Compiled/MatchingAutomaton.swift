/// A catalog's paths as an automaton, in which each transition reads one path segment.
///
/// Every node of the catalog has a root state. The node's expansions form a tree below it, with containers expanded in
/// place. Reaching the end of an expansion accepts a chain of edges: the containers passed through, and the edge
/// itself. All parts of one kind are in one list, so that matching follows indices and retains nothing.
final class MatchingAutomaton: Sendable {
    /// The transitions of one state for the next segment.
    struct State: Sendable {
        /// The parameters to try after the literals, most specific first, as indexes into
        /// ``MatchingAutomaton/captures``.
        let captures: Range<Int32>

        /// The literals that have a transition, as indexes into ``MatchingAutomaton/texts``.
        let literals: Range<Int32>

        /// The chain of edges that ends here, as an index into ``MatchingAutomaton/chains``, or a negative number for
        /// none.
        let end: Int32

        /// The chain of edges that ends here, as an index into ``MatchingAutomaton/chains``.
        var chain: ChainIndex? { end < 0 ? nil : ChainIndex(end) }

        /// The patterns of the captures, as an index into ``MatchingAutomaton/patterns``, or a negative number if none
        /// has one.
        let patterns: Int32

        /// Whether the path may continue both after the end of a chain and within longer patterns.
        let isFork: Bool

        /// Whether a further segment could have a transition.
        var hasChildren: Bool { !literals.isEmpty || !captures.isEmpty }
    }

    /// A parameter that reads one segment, or all remaining ones.
    struct Capture: Sendable {
        /// An edge that has the parameter, for reports.
        ///
        /// Edges that read a segment in the same way share one capture.
        var edge: EdgeIndex

        /// The index of that edge's expansion.
        var expansion: Int

        /// The index of the parameter in that edge, or `nil` if the segment is dropped, or compound.
        var parameter: Int?

        let type: ScalarType

        /// The parts of a compound segment, or `nil` if the segment is read whole.
        var compound: CompoundSegment?

        /// The number shared by compound segments that are read in the same way, or -1 if the segment is read whole.
        let compoundNumber: Int

        /// Whether all remaining segments are read.
        let isRest: Bool

        let next: StateIndex

        /// The captures of the same pattern that come before this one without being more specific, the least specific
        /// last.
        ///
        /// If some of them continue to a match, this one ranks after the last of them. Counted from the state's first
        /// capture.
        var predecessors: [Int] = []

        /// Whether the captures of a state compete in another order than the list's.
        var isOrdered = false

        /// The index of the type's pattern in the state, or a negative number if there is none.
        var pattern = -1

        /// Whether no capture after this one is equally specific.
        var isLastOfRank = true

        /// The narrowness of the type.
        let specificity: Specificity

        /// Whether one segment is read, in the order of the list.
        var isSimple: Bool { !isRest && !isOrdered }

        /// The fast-path category of the type.
        let plainType: PlainType

        init(
            edge: EdgeIndex,
            expansion: Int,
            parameter: Int?,
            type: ScalarType,
            compound: CompoundSegment? = nil,
            compoundNumber: Int = -1,
            isRest: Bool,
            next: StateIndex
        ) {
            self.edge = edge
            self.expansion = expansion
            self.parameter = parameter
            self.type = type
            self.compound = compound
            self.compoundNumber = compoundNumber
            self.isRest = isRest
            self.next = next
            plainType = compound == nil ? PlainType(type) : .other
            specificity = isRest ? .rest : compound == nil ? Specificity(type) : .compound
        }

        /// Returns whether a segment fits the type.
        @inline(__always)
        func accepts(_ segment: LinkRange, of link: [UInt8]) -> Bool {
            switch plainType {
            case .text: return true
            case .int where segment.int(of: link.span) != nil: return true
            case .int, .other:
                if let compound { return compound.accepts(segment, of: link) }
                return type.parse(DecodedBytes(link[segment.start..<segment.end])) != nil
            }
        }

        /// Returns whether a parameter causes a mismatch, and not a literal beside it.
        func isParameterFault(_ segment: LinkRange, of link: [UInt8]) -> Bool {
            compound.map { $0.misfit(in: segment, of: link) != nil } ?? true
        }

        /// Returns the parameter that does not accept a segment, and the text for it, or `nil` if there is none.
        func misfit(in segment: LinkRange, of link: [UInt8]) -> (parameter: Int, text: String)? {
            guard compound == nil else { return compound?.misfit(in: segment, of: link) }
            return parameter.map { ($0, PercentEncoding.decode(link[segment.start..<segment.end])) }
        }
    }

    /// The edges accepted at the end of an expansion.
    struct Chain: Sendable {
        /// Container edges from the outside in, then the edge that consumed the segments.
        let edges: [EdgeIndex]

        /// The expansion of the last edge that the segments match, or `nil` if the link does not name that edge.
        let expansion: Int?

        /// The node that the last edge opens.
        let node: Int
    }

    /// The fields of a capture that most links need, in plain memory.
    struct Lead: Sendable {
        private let target: Int32
        let plainType: PlainType

        /// Whether one segment is read, and no capture after this one is equally specific.
        let isAlone: Bool

        init(_ capture: Capture) {
            target = Int32(capture.next.number)
            plainType = capture.plainType
            isAlone = capture.isSimple && capture.isLastOfRank
        }

        /// The state after the capture.
        var next: StateIndex { StateIndex(target) }
    }

    let states: [State]
    let captures: [Capture]

    /// The compact form of each capture, for most links.
    let leads: [Lead]

    /// The patterns that compete in one state, each list as one automaton.
    private let patterns: [PatternAutomaton]

    private let literals: LiteralTable

    /// The ordered pairs of compound segments: the first is more specific than the second.
    private let narrower: Set<CompoundOrder>

    /// The state before the first segment, for each node of the catalog.
    let roots: [StateIndex]

    /// Every chain that can be accepted.
    let chains: [Chain]

    /// The chain of `entry`'s initial child, which resolves an empty path.
    let entryInitial: ChainIndex?

    /// The literals of all states, for suggestions.
    private let texts: [String]

    /// Packs states that were built one by one.
    init(
        states drafts: [MatchingAutomatonBuilder.State],
        literals: LiteralTable,
        narrower: Set<CompoundOrder>,
        roots: [StateIndex],
        chains: [Chain],
        entryInitial: ChainIndex?
    ) {
        var states: [State] = []
        var captures: [Capture] = []
        var texts: [String] = []
        var patterns: [PatternAutomaton] = []
        states.reserveCapacity(drafts.count)
        for draft in drafts {
            let (firstCapture, firstText) = (Int32(captures.count), Int32(texts.count))
            captures += draft.captures
            texts += draft.literals
            if let competing = draft.patterns { patterns.append(competing) }
            let isFork =
                draft.hasChildren && draft.chain.map { drafts[roots[chains[$0].node]].hasChildren } == true
            states.append(
                State(
                    captures: firstCapture..<Int32(captures.count),
                    literals: firstText..<Int32(texts.count),
                    end: draft.chain.map { Int32($0.number) } ?? -1,
                    patterns: draft.patterns == nil ? -1 : Int32(patterns.count - 1),
                    isFork: isFork
                )
            )
        }
        self.states = states
        self.captures = captures
        leads = captures.map(Lead.init)
        self.texts = texts
        self.patterns = patterns
        self.literals = literals
        self.narrower = narrower
        self.roots = roots
        self.chains = chains
        self.entryInitial = entryInitial
    }

    /// Returns the state after a segment of a link, or `nil` if no literal is equal to it.
    @inline(__always)
    func next(from state: StateIndex, with segment: LinkRange, of link: [UInt8]) -> StateIndex? {
        states[state].literals.isEmpty ? nil : literals.next(from: state, with: segment, of: link)
    }

    /// Matches a segment against all patterns that compete in a state, or returns `nil` if there are none.
    ///
    /// - Complexity: linear in the segment.
    func patternMatches(in state: StateIndex, _ segment: LinkRange, of link: [UInt8]) -> PatternAutomaton.Matches? {
        let index = states[state].patterns
        guard index >= 0 else { return nil }
        return patterns[Int(index)].match(PercentEncoding.decode(link[segment.start..<segment.end]))
    }

    /// Returns whether a capture accepts a segment, given the matches of its state's patterns.
    @inline(__always)
    func accepts(
        _ capture: CaptureIndex,
        segment: LinkRange,
        of link: [UInt8],
        matches: PatternAutomaton.Matches?
    ) -> Bool {
        guard captures[capture].pattern >= 0, let matches else { return captures[capture].accepts(segment, of: link) }
        guard let count = matches.count, matches.contains(captures[capture].pattern) else { return false }
        return captures[capture].type.accepts(characterCount: count)
    }

    /// Returns whether a compound segment is more specific than another one, both given by their numbers.
    func isNarrower(_ one: Int, than other: Int) -> Bool {
        narrower.contains(CompoundOrder(narrow: one, wide: other))
    }

    /// Returns the literals of a state, in the order of their bytes.
    func literals(of state: StateIndex) -> ArraySlice<String> {
        let range = states[state].literals
        return texts[Int(range.lowerBound)..<Int(range.upperBound)]
    }

    /// Returns the parameter that is tried first in a state.
    func firstCapture(of state: StateIndex) -> Capture? {
        states[state].captures.first.map { captures[CaptureIndex($0)] }
    }
}

/// A hash table of the states after literal segments: the cost does not depend on the number of literals.
///
/// One open-addressed table serves the whole catalog. A key is a state and the bytes of a segment. Bytes are hashed and
/// compared in words of eight.
struct LiteralTable: Sendable {
    private struct Slot {
        var state: Int32 = -1
        var next: Int32 = -1
        var textStart: Int32 = 0
        var textCount: Int32 = 0
    }

    private var slots: [Slot]

    /// The texts, one after another.
    private var text: [UInt8] = []

    private let mask: Int

    /// Creates the table with at most half of its slots in use.
    init(_ literals: [(state: StateIndex, text: String, next: StateIndex)]) {
        var capacity = 8
        while capacity < literals.count * 2 { capacity *= 2 }
        slots = [Slot](repeating: Slot(), count: capacity)
        mask = capacity - 1
        for literal in literals {
            let bytes = Array(literal.text.utf8)
            var hash = Hash(state: literal.state, count: bytes.count)
            hash.append(bytes)
            var index = hash.value & mask
            while slots[index].state >= 0 { index = (index + 1) & mask }
            slots[index] = Slot(
                state: Int32(literal.state.number),
                next: Int32(literal.next.number),
                textStart: Int32(text.count),
                textCount: Int32(bytes.count)
            )
            text += bytes
        }
    }

    /// Returns the state after a segment of a link, or `nil` if no literal is equal to it.
    func next(from state: StateIndex, with segment: LinkRange, of link: [UInt8]) -> StateIndex? {
        let bytes = link.span
        var hash = Hash(state: state, count: segment.count)
        var start = segment.start
        while start < segment.end {
            let word = ByteWord(bytes, from: start, to: segment.end)
            hash.append(word)
            start += ByteWord.size
        }
        var index = hash.value & mask
        while slots[index].state >= 0 {
            let slot = slots[index]
            if slot.state == Int32(truncatingIfNeeded: state.number), isEqual(slot, segment: segment, bytes: bytes) {
                return StateIndex(slot.next)
            }
            index = (index + 1) & mask
        }
        // No literal contains a percent sign, so only a segment without an equal literal can be escaped.
        for place in segment.start..<segment.end where bytes[place] == ASCII.percent {
            return next(from: state, withEscaped: segment, of: link)
        }
        return nil
    }

    @inline(__always)
    private func isEqual(_ slot: Slot, segment: LinkRange, bytes: Span<UInt8>) -> Bool {
        Int(slot.textCount) == segment.count
            && ByteWord.areEqual(bytes, range: segment.indices, others: text.span, from: Int(slot.textStart))
    }

    // MARK: Escaped segments

    private func next(from state: StateIndex, withEscaped segment: LinkRange, of link: [UInt8]) -> StateIndex? {
        let decoded = Array(DecodedBytes(link[segment.start..<segment.end]))
        var hash = Hash(state: state, count: decoded.count)
        hash.append(decoded)
        var index = hash.value & mask
        while slots[index].state >= 0 {
            let slot = slots[index]
            let stretch = text[Int(slot.textStart)..<Int(slot.textStart + slot.textCount)]
            if slot.state == Int32(truncatingIfNeeded: state.number), decoded[...] == stretch {
                return StateIndex(slot.next)
            }
            index = (index + 1) & mask
        }
        return nil
    }
}

extension LiteralTable {
    /// A hash of a state and the bytes of a text, mixed word by word.
    private struct Hash {
        private static let factor: UInt64 = 0x9E37_79B9_7F4A_7C15

        private var sum: UInt64

        /// Creates a hash for a number of bytes.
        @inline(__always)
        init(state: StateIndex, count: Int) {
            sum = UInt64(truncatingIfNeeded: state.number) &* Self.factor &+ UInt64(truncatingIfNeeded: count)
        }

        /// Adds the next eight bytes, or the remaining ones padded with zeros.
        @inline(__always)
        mutating func append(_ word: ByteWord) {
            sum = (sum ^ word.value) &* Self.factor
            sum ^= sum >> 32
        }

        /// Adds a whole text.
        mutating func append(_ bytes: [UInt8]) {
            for start in stride(from: 0, to: bytes.count, by: ByteWord.size) {
                append(ByteWord(bytes.span, from: start, to: bytes.count))
            }
        }

        /// The resulting hash.
        @inline(__always)
        var value: Int { Int(truncatingIfNeeded: sum >> 8) & Int.max }
    }
}
