/// Keeps everything that the matcher tries, in order.
///
/// The list is bounded: a hostile link against a large catalog must not fill the memory with its explanation.
struct MatchRecorder: MatchObserver {
    /// The most events that are kept.
    static let maximumCount = 1000

    /// Is one thing that the matcher did.
    enum Event {
        case accepted(MatchStep)
        case abandoned(MatchStep)
        case rejected(MatchRejection, after: MatchStep?)
    }

    private(set) var events: [Event] = []

    /// How many events were not kept.
    private(set) var omittedCount = 0

    mutating func accepted(_ step: MatchStep) { record(.accepted(step)) }

    mutating func abandoned(_ step: MatchStep) { record(.abandoned(step)) }

    mutating func rejected(_ rejection: MatchRejection, after steps: ShortList<MatchStep>) {
        record(.rejected(rejection, after: steps.last))
    }

    private mutating func record(_ event: Event) {
        if events.count < Self.maximumCount { events.append(event) } else { omittedCount += 1 }
    }
}
