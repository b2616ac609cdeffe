/// Watches nothing.
struct UnobservedMatch: MatchObserver {
    static var isWatching: Bool { false }

    @inline(__always)
    mutating func rejected(_ rejection: MatchRejection, after steps: ShortList<MatchStep>) {}
}
