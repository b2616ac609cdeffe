/// The reason why a well-formed link does not resolve.
package enum ResolutionError: Error, Equatable, Sendable {
    /// The link's scheme, host, port and path prefix match no origin, and the hint names the closest ones.
    case unknownOrigin(hint: String)

    /// Each part of the link is valid, but the text that its origin joins from them is not.
    case malformedLink(LinkSyntaxError)

    /// The link is a short link, and the engine was not given the target of its code.
    case unknownShortLink

    /// The client's current stack does not fit the catalog.
    case invalidCurrentStack(CurrentStackError)

    /// No route matches the whole path.
    case noMatchingRoute(UnmatchedPath)

    /// A parameter is missing or does not fit its type.
    case invalidParameter(ParameterError)

    /// The query opens several destinations over one screen.
    case conflictingDestinations([String])

    /// One route would be in the stack more often than the limit.
    case tooDeep(limit: Int)

    /// Links redirect to links in their queries more often than the limit.
    case tooManyLinks(limit: Int)
}

extension ResolutionError {
    /// Returns the same error with the offset in the link as sent.
    func placed(by path: RoutedPath) -> ResolutionError {
        guard path.offsets != nil, case .invalidParameter(let invalid) = self else { return self }
        return .invalidParameter(invalid.placed(by: path))
    }

    /// The link's segments from the end of the match on, or `nil` for every other error.
    package var unmatched: [String]? {
        if case .noMatchingRoute(let report) = self { report.unmatched } else { nil }
    }

    /// The advice for a link of no origin, with an empty path, or without the last value.
    ///
    /// `nil` for all other errors.
    package var hint: String? {
        switch self {
        case .unknownOrigin(let hint): hint
        case .noMatchingRoute(let report) where report.matched.isEmpty && report.unmatched.isEmpty:
            "Mark in the catalog's `entry` the app's first screen as initial: "
                + "`home: { presentation: root, initial: true }`."
        case .noMatchingRoute(let report): report.missing
        default: nil
        }
    }

    /// The failure in one sentence.
    package var message: String {
        switch self {
        case .unknownOrigin: "No origin of the catalog has the link's scheme, host, port and path prefix."
        case .malformedLink(let error): error.message
        case .unknownShortLink: "The link is a short link, whose target only the server knows."
        case .invalidCurrentStack(let invalid): invalid.message
        case .noMatchingRoute(let report):
            report.unmatched.first.map { "No route matches the link from the segment `\($0)` on." }
                ?? "No route answers an empty path."
        case .invalidParameter(let invalid):
            "The parameter \(invalid.parameter) of \(invalid.route) is \(invalid.foundInWords); expected "
                + "\(invalid.expected)."
        case .conflictingDestinations(let routes):
            "The query opens \(routes.joined(separator: " and ")) over one screen, which shows at most one."
        case .tooDeep(let limit): "A route may be in a stack at most \(limit) times."
        case .tooManyLinks(let limit): "Links may redirect to links in their queries at most \(limit) times."
        }
    }
}

/// A partly matched path, with suggestions.
package struct UnmatchedPath: Equatable, Sendable {
    /// The stack of the part that matched, without query routes.
    package let matched: [Destination]

    /// The decoded segments after that part.
    package let unmatched: [String]

    /// Links that do resolve and differ from this one by a few letters, closest first.
    package let suggestions: [String]

    /// A sentence with the value that the path lacks at its end, and its route, or `nil` if it lacks none.
    package let missing: String?

    /// Creates a value from its parts.
    package init(matched: [Destination], unmatched: [String], suggestions: [String], missing: String? = nil) {
        self.matched = matched
        self.unmatched = unmatched
        self.suggestions = suggestions
        self.missing = missing
    }
}

/// The reason why a link cannot continue from the client's current stack.
package struct CurrentStackError: Error, Hashable, Sendable {
    /// The error of a link that continues from a stack, in a request without one.
    static let missing = CurrentStackError(
        message: "In `append` the link continues from what the client shows, "
            + "and the request does not say what that is.",
        isMissing: true
    )

    /// The mismatch, as a sentence.
    package let message: String

    /// Whether the request lacks a current stack.
    package var isMissing = false
}

/// A parameter with a value that is missing from the link, or not accepted by its type.
package struct ParameterError: Error, Hashable, Sendable {
    /// The route that declares the parameter.
    package let route: String

    /// The parameter's name.
    package let parameter: String

    /// The decoded text in the link, or `nil` if it is missing, or the key has no `=`.
    package let value: String?

    /// Whether the link has the key without a value.
    package let isBare: Bool

    /// The accepted values, in words.
    package private(set) var expected: String

    /// The value's bytes in the link, or an empty range at the position of a missing value.
    private(set) var range: LinkRange

    /// The byte offset of the value in the link, or the position where it is missing.
    package var offset: Int { range.start }

    /// The byte length of the value in the link, as it was sent, or 0 if it is missing.
    package var length: Int { range.count }

    /// Returns the same error with other words for the accepted values.
    func expecting(_ expected: String) -> ParameterError {
        var error = self
        error.expected = expected
        return error
    }

    /// Returns the same error with the offset in the link as sent.
    func placed(by path: RoutedPath) -> ParameterError {
        var error = self
        error.range = path.original(range)
        return error
    }

    /// The link's text for the parameter, to follow "is".
    var foundInWords: String { value.map { "`\($0)`" } ?? (isBare ? "a key without a value" : "missing") }
}
