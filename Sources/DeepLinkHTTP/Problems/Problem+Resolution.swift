package import DeepLinkCore

extension Problem {
    /// Reports a text that is no link.
    package init(_ error: LinkSyntaxError) {
        self.init(
            .malformedLink,
            "The link breaks the rule \(error.reason.rawValue) at byte \(error.offset).",
            [.init("reason", error.reason.rawValue), .init("offset", error.offset)]
        )
    }

    /// Reports a refusal, with the gate that leads on.
    package init(_ denial: Denial) {
        var extensions: [ProblemExtension] = [
            .init("route", denial.route),
            .init("requiredLevel", denial.requiredLevel.name),
            .init("userLevel", denial.userLevel.name),
        ]
        if let gate = denial.gate { extensions.append(.init("gate", gate)) }
        self.init(
            .insufficientAuthorizationLevel,
            "The destination \(denial.route) requires the level \(denial.requiredLevel.name); "
                + "the user has \(denial.userLevel.name).",
            extensions
        )
    }

    /// Reports a link that leads nowhere.
    package init(_ failure: LinkFailure) {
        switch failure {
        case .unknownOrigin:
            self.init(.unknownOrigin, "No origin of the catalog has the link's scheme, host, port and path prefix.")
        case .invalidCurrentStack(let invalid): self = .invalidRequest(field: "from", .invalidValue, invalid.message)
        case .noMatchingRoute(let report): self.init(report)
        case .invalidParameter(let invalid): self.init(invalid)
        case .conflictingDestinations(let routes):
            self.init(
                .conflictingDestinations,
                "The query opens \(routes.joined(separator: " and ")) over one screen, which shows at most one.",
                [.init("routes", routes)]
            )
        case .tooDeep(let limit):
            self.init(.tooDeep, "A route may stand in a stack at most \(limit) times.", [.init("limit", limit)])
        }
    }

    private init(_ report: NoMatchingRoute) {
        let detail =
            report.unmatched.first.map { "No route matches the link from the segment `\($0)` on." }
            ?? "No route answers an empty path."
        self.init(
            .noMatchingRoute,
            report.suggestions.first.map { "\(detail) Did you mean \($0)?" } ?? detail,
            [
                .init("matched", report.matched),
                .init("unmatched", report.unmatched),
                .init("suggestions", report.suggestions),
            ]
        )
    }

    private init(_ invalid: InvalidParameter) {
        let found = invalid.value.map { "`\($0)`" } ?? "missing"
        self.init(
            .invalidParameter,
            "The parameter \(invalid.parameter) of \(invalid.route) is \(found); expected \(invalid.expected).",
            [
                .init("route", invalid.route),
                .init("parameter", invalid.parameter),
                .init("value", invalid.value),
                .init("expected", invalid.expected),
                .init("offset", invalid.offset),
            ]
        )
    }

    /// Reports a stack that has no link.
    package init(_ error: NoLink) {
        switch error.reason {
        case .unknownScheme: self = .invalidRequest(field: "scheme", .invalidValue, error.message)
        case .destination:
            self.init(.noLink, error.message, [.init("route", error.route), .init("index", error.index)])
        }
    }
}
