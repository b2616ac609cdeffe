/// Watches the matcher, so that reports of a failure come from the engine that failed.
///
/// The matcher is generic over its observer: a resolve that succeeds pays nothing for the reports.
protocol MatchObserver {
    /// Whether anything is done with what is told; the matcher may take a shorter way otherwise.
    static var isWatching: Bool { get }

    /// Takes note of a candidate whose segments fit; what follows is tried next.
    mutating func accepted(_ step: MatchStep)

    /// Takes note that nothing after an accepted candidate fits, so that the next one is tried.
    mutating func abandoned(_ step: MatchStep)

    /// Takes note of a candidate that failed after some accepted steps.
    mutating func rejected(_ rejection: MatchRejection, after steps: ShortList<MatchStep>)
}

extension MatchObserver {
    static var isWatching: Bool { true }

    @inline(__always)
    mutating func accepted(_ step: MatchStep) {}

    @inline(__always)
    mutating func abandoned(_ step: MatchStep) {}
}
