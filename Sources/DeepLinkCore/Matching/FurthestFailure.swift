/// The failure that got furthest into a path, the one that a person most likely meant.
struct FurthestFailure {
    /// Where and over what the path failed; `nil` where it has no segment.
    let rejection: MatchRejection?

    /// The accepted patterns before that, the most specific ones that get so far.
    let steps: ShortList<MatchStep>
}
