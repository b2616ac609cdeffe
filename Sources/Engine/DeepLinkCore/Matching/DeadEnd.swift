/// The point at which a candidate failed, and its cause.
struct DeadEnd: Sendable {
    /// The state that could not continue.
    let state: StateIndex

    /// The segment that did not fit; `nil` if the path ended too early.
    let segment: LinkRange?

    /// The parameter that did not accept the segment; `nil` if no literal or parameter was left to try.
    let capture: MatchingAutomaton.Capture?
}
