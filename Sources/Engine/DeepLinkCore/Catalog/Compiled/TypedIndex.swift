/// An index into one of the catalog's lists, which the compiler keeps apart from indexes into other lists.
///
/// At run time it is a plain number.
struct TypedIndex<Element>: Hashable, Sendable {
    /// The position in the list, from 0.
    let number: Int

    @inline(__always)
    init(_ number: Int) { self.number = number }

    /// Creates an index from a packed number.
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

extension TypedIndex: Comparable {
    /// Orders the indices as the list does.
    static func < (left: TypedIndex, right: TypedIndex) -> Bool { left.number < right.number }
}

/// The index of an edge of the catalog.
typealias EdgeIndex = TypedIndex<Edge>

/// The index of a state of the automaton.
typealias StateIndex = TypedIndex<MatchingAutomaton.State>

/// The index of a parameter that the automaton reads.
typealias CaptureIndex = TypedIndex<MatchingAutomaton.Capture>

/// The index of a chain of edges that the automaton accepts.
typealias ChainIndex = TypedIndex<MatchingAutomaton.Chain>

extension [PackedEdge] {
    subscript(index: EdgeIndex) -> PackedEdge {
        @inline(__always)
        get { self[index.number] }
    }
}

extension [[EdgeIndex]] {
    subscript(index: EdgeIndex) -> [EdgeIndex] {
        @inline(__always)
        get { self[index.number] }
        _modify { yield &self[index.number] }
    }
}

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

/// The narrowness of a path parameter, narrower parameters first.
///
/// Narrower parameters are tried first, and literals before all parameters. Two types of one rank that share a text
/// make their routes ambiguous.
enum Specificity: Int, Comparable {
    case compound
    case enumeration
    case exact
    case double
    case pattern
    case text
    case rest

    init(_ type: ScalarType) {
        switch type {
        case .enumeration: self = .enumeration
        case .int, .bool, .uuid, .date, .dateTime: self = .exact
        case .double: self = .double
        case .string(_, _, let pattern): self = pattern == nil ? .text : .pattern
        }
    }

    static func < (left: Specificity, right: Specificity) -> Bool { left.rawValue < right.rawValue }
}
