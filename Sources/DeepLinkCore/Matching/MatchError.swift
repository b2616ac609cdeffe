/// The failure that got furthest into a path, the one that a person most likely meant.
///
/// A class, since it is mostly not there: a match then carries one word for it.
final class MatchError: Error {
    /// The dead end that the path led to; `nil` where it has no segment.
    let rejection: DeadEnd?

    /// The accepted patterns before that, the most specific ones that get so far.
    let steps: ShortList<MatchStep>

    init(rejection: DeadEnd?, steps: ShortList<MatchStep>) {
        self.rejection = rejection
        self.steps = steps
    }
}
