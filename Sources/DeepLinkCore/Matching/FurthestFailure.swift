/// Keeps the failure that got furthest into the path, the one that a person most likely meant.
///
/// At one place the first report stands, since candidates come most specific first; a parameter that did not
/// parse outweighs a missing literal there.
struct FurthestFailure: MatchObserver {
    private(set) var rejection: MatchRejection?
    private(set) var steps = ShortList<MatchStep>()
    private var position = -1

    mutating func rejected(_ rejection: MatchRejection, after steps: ShortList<MatchStep>) {
        let position = rejection.segment?.start ?? Int.max
        if position > self.position {
            self.position = position
            self.rejection = rejection
            self.steps = steps
        } else if position == self.position, self.rejection?.capture == nil, rejection.capture != nil {
            self.rejection = rejection
        }
    }
}
