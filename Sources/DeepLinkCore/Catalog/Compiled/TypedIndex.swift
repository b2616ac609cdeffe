/// The number of an element of one of the catalog's lists, which is no number of an element of another kind.
///
/// At run time it is that number, and nothing more.
struct TypedIndex<Element>: Hashable, Sendable {
    /// The place in the list, from 0.
    let number: Int

    @inline(__always)
    init(_ number: Int) { self.number = number }

    /// Takes over a number that is packed.
    @inline(__always)
    init(_ number: Int32) { self.number = Int(number) }
}

extension Array {
    subscript(index: TypedIndex<Element>) -> Element {
        @inline(__always)
        get { self[index.number] }
        @inline(__always)
        _modify { yield &self[index.number] }
    }
}

/// The number of a state of the automaton.
typealias StateIndex = TypedIndex<MatchingAutomaton.State>

/// The number of a parameter that the automaton reads.
typealias CaptureIndex = TypedIndex<MatchingAutomaton.Capture>

/// The number of a chain of edges that the automaton accepts.
typealias ChainIndex = TypedIndex<MatchingAutomaton.Chain>

extension [MatchingAutomaton.Lead] {
    subscript(index: CaptureIndex) -> MatchingAutomaton.Lead {
        @inline(__always)
        get { self[index.number] }
    }
}

extension [MatchingAutomatonBuilder.State] {
    subscript(index: StateIndex) -> MatchingAutomatonBuilder.State {
        get { self[index.number] }
        _modify { yield &self[index.number] }
    }
}
