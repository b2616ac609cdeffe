/// The reason why a link has no stack, without the report that a person reads.
///
/// Suggestions and canonical links ask whether other links resolve; a report for each of those would suggest in
/// turn, and the cost would double with every misspelt segment.
indirect enum StackSearchError: Error {
    /// The path matches no route.
    case unmatched(MatchError)

    /// The link fails for a reason that is known already.
    case failure(ResolutionError)

    /// The link in the query, which is to answer this one, has no stack; what is not used of this one's query is known.
    case behind(Redirect, [QueryItem], StackSearchError)
}
