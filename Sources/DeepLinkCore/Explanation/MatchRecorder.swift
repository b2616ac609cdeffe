/// What the matcher tried, in order.
///
/// The list is bounded: a hostile link against a large catalog must not fill the memory with its explanation.
struct MatchRecorder {
    /// The most events that are kept.
    static let maximumCount = 1000

    /// One thing that the matcher did.
    enum Event {
        /// A candidate's segments fit; what follows is tried next.
        case accepted(MatchStep)

        /// Nothing after an accepted candidate fits.
        case abandoned(MatchStep)

        /// The path can be read this way, and in a more specific one.
        case outranked(MatchStep)

        /// A candidate failed after an accepted step.
        case rejected(DeadEnd, after: MatchStep?)
    }

    private(set) var events: [Event] = []

    /// The number of events that were not kept.
    private(set) var omittedCount = 0

    mutating func record(_ event: Event) {
        if events.count < Self.maximumCount { events.append(event) } else { omittedCount += 1 }
    }
}
