/// Watches nothing.
struct UnobservedMatch: MatchObserver {
    @inline(__always)
    mutating func rejected(_ rejection: MatchRejection, after steps: [MatchStep]) {}
}
