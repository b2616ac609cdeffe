/// A record of the matcher's events, in order.
///
/// The list is bounded: a hostile link against a large catalog must not exhaust memory with its explanation.
struct MatchRecorder {
    /// The most events that are kept.
    static let maximumCount = 1000

    /// One event of the matcher.
    enum Event {
        /// A candidate's segments fit; the rest is tried next.
        case accepted(MatchStep)

        /// Nothing after an accepted candidate fits.
        case abandoned(MatchStep)

        /// The path can be read this way, and also in a more specific one.
        case outranked(MatchStep)

        /// A candidate failed after an accepted step.
        case rejected(DeadEnd, after: MatchStep?)
    }

    private(set) var events: [Event] = []

    /// The number of dropped events.
    private(set) var omittedCount = 0

    mutating func record(_ event: Event) {
        if events.count < Self.maximumCount { events.append(event) } else { omittedCount += 1 }
    }
}
