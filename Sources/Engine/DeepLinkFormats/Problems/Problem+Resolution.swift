package import DeepLinkCore

extension Problem {
    /// Creates the problem of a malformed link.
    ///
    /// Without the text, only the start of the fault is known.
    package init(_ error: LinkSyntaxError, in link: [UInt8]? = nil) {
        self.init(
            .malformedLink,
            detail: error.message,
            extensions: [
                .init("reason", text: error.reason.rawValue), .init("offset", number: error.offset),
                .init("length", number: link.map(error.length) ?? 0),
            ]
        )
    }

    /// Creates the problem of a gated link, with its gate and its continuation.
    package init(_ denial: Denial, continuation: String? = nil) {
        var extensions: [ProblemExtension] = [
            .init("route", text: denial.route),
            .init("requiredLevel", text: denial.levels.text(of: denial.requiredLevel)),
            .init("userLevel", text: denial.levels.text(of: denial.userLevel)),
        ]
        if !denial.missing.isEmpty { extensions.append(.init("missing", texts: denial.missingNames)) }
        if let gate = denial.gate { extensions.append(.init("gate", gate: gate, catalog: denial.catalog)) }
        if let continuation { extensions.append(.init("continuation", token: continuation)) }
        guard denial.missing.isEmpty else {
            let names = denial.missingNames.joined(separator: ", ")
            self.init(
                .missingGrant,
                detail: "The destination \(denial.route) requires a grant that the user lacks; missing "
                    + "\(denial.missingNames.count == 1 ? "is" : "are") \(names).",
                extensions: extensions
            )
            return
        }
        self.init(
            .insufficientAuthorizationLevel,
            detail:
                "The destination \(denial.route) requires the level \(denial.levels.text(of: denial.requiredLevel)); "
                + "the user has \(denial.levels.text(of: denial.userLevel)).",
            extensions: extensions
        )
    }

    /// Returns the problem of a name that is not a level of the catalog.
    package static func unknownLevel(_ name: String, in levels: LevelLadder) -> Problem {
        .invalidValue(field: "level", detail: "`\(name)` isn't a level; levels are \(levels.list(quote: "`")).")
    }

    /// Returns the problem of a name that is not a grant of the catalog.
    package static func unknownGrant(_ name: String, in grants: GrantList, field: String = "grants") -> Problem {
        let known = grants.isEmpty ? "the catalog has none" : "grants are \(grants.list(quote: "`"))"
        return .invalidValue(field: field, detail: "`\(name)` isn't a grant; \(known).")
    }

    /// Creates the problem of an app that is too old for a link, with its page in the store.
    package init(_ update: AppUpdate) {
        var extensions: [ProblemExtension] = [
            .init("route", text: update.route),
            .init("platform", text: update.app.platform.rawValue),
            .init("requiredVersion", text: update.requiredVersion.text),
            .init("appVersion", text: update.app.number.text),
        ]
        if let link = update.storeLink { extensions.append(.init("storeLink", text: link)) }
        self.init(
            .appUpdateRequired,
            detail: "The destination \(update.route) takes the app from \(update.app.platform.rawValue)/"
                + "\(update.requiredVersion.text) on; it is asked for \(update.app.text).",
            extensions: extensions
        )
    }

    /// Creates the problem of a link that cannot be resolved.
    package init(_ failure: ResolutionError) {
        let detail = failure.message
        switch failure {
        case .malformedLink(let error): self.init(error)
        case .unknownOrigin(let hint):
            self.init(.unknownOrigin, detail: detail, extensions: [.init("hint", text: hint)])
        case .unknownShortLink:
            self.init(.unknownShortLink, detail: detail, extensions: [.init("reason", text: "offline")])
        case .invalidCurrentStack(let invalid):
            self = .invalidRequest(
                field: "from",
                reason: invalid.isMissing ? .missing : .invalidValue,
                detail: invalid.isMissing
                    ? detail + " Send a link or a stack as `from`; `[]` if nothing is shown." : detail
            )
        case .noMatchingRoute(let report):
            let problem = Problem(
                .noMatchingRoute,
                detail: report.suggestions.first.map { "\(detail) Did you mean \($0)?" } ?? detail,
                extensions: [
                    .init("matched", stack: report.matched),
                    .init("unmatched", texts: report.unmatched),
                    .init("suggestions", texts: report.suggestions),
                ]
            )
            self = failure.hint.map(problem.adding(hint:)) ?? problem
        case .invalidParameter(let invalid):
            self.init(
                .invalidParameter,
                detail: detail,
                extensions: [
                    .init("route", text: invalid.route),
                    .init("parameter", text: invalid.parameter),
                    .init("value", text: invalid.value),
                    .init("expected", text: invalid.expected),
                    .init("offset", number: invalid.offset),
                    .init("length", number: invalid.length),
                ]
            )
        case .conflictingDestinations(let routes):
            self.init(.conflictingDestinations, detail: detail, extensions: [.init("routes", texts: routes)])
        case .tooDeep(let limit), .tooManyLinks(let limit):
            self.init(.tooDeep, detail: detail, extensions: [.init("limit", number: limit)])
        }
    }

    /// Creates the problem of a stack or a destination for which no link exists.
    package init(_ error: LinkBuildingError) {
        switch error {
        case .unknownScheme(let scheme):
            self = .invalidValue(field: "scheme", detail: "No origin has the scheme `\(scheme)`.")
        case .destination(let fault):
            self.init(
                .noLink,
                detail: fault.message,
                extensions: [.init("route", text: fault.route), .init("index", number: fault.index)]
            )
        }
    }
}
