/// Where a candidate failed, and over what.
struct DeadEnd: Sendable {
    /// The state that could not go on.
    let state: StateIndex

    /// The segment that did not fit; `nil` where the path ended too early.
    let segment: LinkRange?

    /// The parameter that did not accept the segment; `nil` where no literal or parameter was left to try.
    let capture: MatchingAutomaton.Capture?
}
