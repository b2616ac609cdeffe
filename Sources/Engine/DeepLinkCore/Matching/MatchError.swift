/// The failure that got furthest into a path, which is most likely the intended one.
///
/// A class, since it is usually absent: a match then stores one word for it.
final class MatchError: Error {
    /// The dead end that the path led to; `nil` if the path has no segments.
    let rejection: DeadEnd?

    /// The accepted patterns before the dead end, the most specific ones that reach it.
    let steps: ShortList<MatchStep>

    init(rejection: DeadEnd?, steps: ShortList<MatchStep>) {
        self.rejection = rejection
        self.steps = steps
    }
}
