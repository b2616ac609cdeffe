/// Watches the matcher, so that reports of a failure come from the engine that failed.
///
/// The matcher is generic over its observer: a resolve that succeeds pays nothing for the reports.
protocol MatchObserver {
    /// Takes note of a candidate that failed after some accepted steps.
    mutating func rejected(_ rejection: MatchRejection, after steps: [MatchStep])
}
