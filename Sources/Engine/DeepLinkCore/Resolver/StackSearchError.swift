/// The reason why a link has no stack, without the report for users.
///
/// Suggestions and canonical links test whether other links resolve; a report for each of those would compute
/// suggestions in turn, and the cost would double with every misspelt segment.
indirect enum StackSearchError: Error {
    /// The path matches no route.
    case unmatched(MatchError)

    /// The link fails for a known reason.
    case failure(ResolutionError)

    /// The link in the query, which replaces this one, has no stack; the unused pairs of this one's query are known.
    case behind(Redirect, [QueryItem], StackSearchError)
}

extension StackSearchError {
    /// The steps from a link to those in its query, as far as they lead.
    var redirects: [Redirect] {
        var redirects: [Redirect] = []
        var cause = self
        while case .behind(let redirect, _, let failure) = cause {
            redirects.append(redirect)
            cause = failure
        }
        return redirects
    }
}
