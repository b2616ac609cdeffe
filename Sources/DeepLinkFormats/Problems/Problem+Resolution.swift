package import DeepLinkCore

extension Problem {
    /// Returns the problem for a malformed link; without the text, the place of the fault is known, but not its extent.
    package init(_ error: LinkSyntaxError, in link: [UInt8]? = nil) {
        self.init(
            .malformedLink,
            error.message,
            [
                .init("reason", error.reason.rawValue), .init("offset", error.offset),
                .init("length", link.map(error.length) ?? 0),
            ]
        )
    }

    /// Creates the problem of a gated link, with its gate and its continuation.
    package init(_ denial: Denial, continuation: String? = nil) {
        var extensions: [ProblemExtension] = [
            .init("route", denial.route),
            .init("requiredLevel", denial.requiredLevel.name),
            .init("userLevel", denial.userLevel.name),
        ]
        if let gate = denial.gate { extensions.append(.init("gate", gate)) }
        if let continuation { extensions.append(.init("continuation", continuation)) }
        self.init(
            .insufficientAuthorizationLevel,
            "The destination \(denial.route) requires the level \(denial.requiredLevel.name); "
                + "the user has \(denial.userLevel.name).",
            extensions
        )
    }

    /// Reports a link that the app which asks is too old for, with its page in the store.
    package init(_ update: AppUpdate) {
        var extensions: [ProblemExtension] = [
            .init("route", update.route),
            .init("platform", update.app.platform.rawValue),
            .init("requiredVersion", update.requiredVersion.text),
            .init("appVersion", update.app.number.text),
        ]
        if let link = update.storeLink { extensions.append(.init("storeLink", link)) }
        self.init(
            .appUpdateRequired,
            "The destination \(update.route) takes the app from \(update.app.platform.rawValue)/"
                + "\(update.requiredVersion.text) on; it is asked for \(update.app.text).",
            extensions
        )
    }

    /// Reports a link that leads nowhere.
    package init(_ failure: ResolutionError) {
        let detail = failure.message
        switch failure {
        case .malformedLink(let error): self.init(error)
        case .unknownOrigin(let hint): self.init(.unknownOrigin, detail, [.init("hint", hint)])
        case .invalidCurrentStack(let invalid):
            self = .invalidRequest(
                field: "from",
                invalid.isMissing ? .missing : .invalidValue,
                invalid.isMissing ? detail + " Send a link or a stack as `from`; `[]` if nothing is shown." : detail
            )
        case .noMatchingRoute(let report):
            let problem = Problem(
                .noMatchingRoute,
                report.suggestions.first.map { "\(detail) Did you mean \($0)?" } ?? detail,
                [
                    .init("matched", report.matched),
                    .init("unmatched", report.unmatched),
                    .init("suggestions", report.suggestions),
                ]
            )
            self = failure.hint.map(problem.adding(hint:)) ?? problem
        case .invalidParameter(let invalid):
            self.init(
                .invalidParameter,
                detail,
                [
                    .init("route", invalid.route),
                    .init("parameter", invalid.parameter),
                    .init("value", invalid.value),
                    .init("expected", invalid.expected),
                    .init("offset", invalid.offset),
                    .init("length", invalid.length),
                ]
            )
        case .conflictingDestinations(let routes):
            self.init(.conflictingDestinations, detail, [.init("routes", routes)])
        case .tooDeep(let limit), .tooManyLinks(let limit): self.init(.tooDeep, detail, [.init("limit", limit)])
        }
    }

    /// Reports a stack, or a destination, that has no link.
    package init(_ error: LinkBuildingError) {
        switch error {
        case .unknownScheme(let scheme):
            self = .invalidRequest(field: "scheme", .invalidValue, "No origin has the scheme `\(scheme)`.")
        case .destination(let fault):
            self.init(.noLink, fault.message, [.init("route", fault.route), .init("index", fault.index)])
        case .ambiguous(let route, let ways):
            self.init(
                .ambiguousDestination,
                "\(ways.count) stacks, equally short, lead to `\(route)`; send one of `ways` as `stack`.",
                [.init("ways", ways)]
            )
        }
    }
}
