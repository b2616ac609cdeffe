/// The reason why a well-formed link leads nowhere in a catalog.
public enum ResolutionError: Error, Equatable, Sendable {
    /// The link's scheme, host, port and path prefix are those of no origin; the hint says what is near.
    case unknownOrigin(hint: String)

    /// The link keeps the rules part by part, and breaks one where its origin joins the parts.
    case malformedLink(LinkSyntaxError)

    /// The stack that the client shows now does not fit the catalog.
    case invalidCurrentStack(CurrentStackError)

    /// No route matches the whole path.
    case noMatchingRoute(UnmatchedPath)

    /// A parameter is missing or does not fit its type.
    case invalidParameter(ParameterError)

    /// The query wants to open several destinations over one screen.
    case conflictingDestinations([String])

    /// One route would stand in the stack more often than the limit.
    case tooDeep(limit: Int)

    /// Links lead to links, in each other's queries, more often than the limit.
    case tooManyLinks(limit: Int)
}

extension ResolutionError {
    /// The same error with the place in the link as sent.
    func placed(by path: RoutedPath) -> ResolutionError {
        guard path.offsets != nil, case .invalidParameter(let invalid) = self else { return self }
        return .invalidParameter(invalid.placed(by: path))
    }

    /// What is wrong, in one sentence that names the thing.
    public var message: String {
        switch self {
        case .unknownOrigin: "No origin of the catalog has the link's scheme, host, port and path prefix."
        case .malformedLink(let error): error.message
        case .invalidCurrentStack(let invalid): invalid.message
        case .noMatchingRoute(let report):
            report.unmatched.first.map { "No route matches the link from the segment `\($0)` on." }
                ?? "No route answers an empty path."
        case .invalidParameter(let invalid):
            "The parameter \(invalid.parameter) of \(invalid.route) is \(invalid.foundInWords); expected "
                + "\(invalid.expected)."
        case .conflictingDestinations(let routes):
            "The query opens \(routes.joined(separator: " and ")) over one screen, which shows at most one."
        case .tooDeep(let limit): "A route may stand in a stack at most \(limit) times."
        case .tooManyLinks(let limit): "Links may lead to links in their queries at most \(limit) deep."
        }
    }
}
