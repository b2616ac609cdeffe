package import DeepLinkCore

/// An error document (RFC 9457), for people and for programs.
///
/// Handlers throw problems. The outermost middleware turns them into responses.
package struct Problem: Error, WireBody {
    /// The maximum length of ``detail``, in bytes, because it may repeat a client's texts and must not return them
    /// whole.
    static let maximumDetailByteCount = 2048

    /// The kind of the problem.
    package let code: ProblemCode

    /// The description of this occurrence, naming the thing and the fix.
    ///
    /// A description that is too long is truncated.
    package let detail: String

    /// The members for programs, in the order of the wire.
    package let extensions: [ProblemExtension]

    /// Header fields of the response, such as `Allow`.
    package let headers: ProblemHeaders

    /// Returns the description of the underlying error, for the log and never for the client.
    package let cause: (@Sendable () -> String)?

    /// Creates a problem from its parts.
    package init(
        _ code: ProblemCode,
        detail: String,
        extensions: [ProblemExtension] = [],
        headers: ProblemHeaders = [:],
        cause: (@Sendable () -> String)? = nil
    ) {
        self.cause = cause
        self.code = code
        self.detail = detail.truncated(toByteCount: Self.maximumDetailByteCount)
        self.extensions = extensions
        self.headers = headers
    }

    /// Writes the problem as JSON.
    package func write(to writer: inout JSONWriter) { writer.object { writeMembers(to: &$0) } }

    /// Returns the problem as JSON with another member at the end, up to the value of that member.
    ///
    /// A writer that continues the JSON writes the value, and ends the object.
    package func json(upToValueOf member: String) -> [UInt8] {
        var writer = JSONWriter()
        writer.openObject(upToValueOf: member) { writeMembers(to: &$0) }
        return writer.bytes
    }

    private func writeMembers(to writer: inout JSONWriter) {
        writer.member("type", "urn:waymark:problem:" + code.rawValue)
        writer.member("title", code.title)
        writer.member("status", code.status)
        writer.member("detail", detail)
        for member in extensions { member.write(to: &writer) }
    }
}

extension Problem {
    /// Returns the same problem with an additional member.
    package func adding(_ member: ProblemExtension) -> Problem {
        Problem(code, detail: detail, extensions: extensions + [member], headers: headers, cause: cause)
    }

    /// Returns the same problem with additional header fields.
    package func adding(_ fields: ProblemHeaders) -> Problem {
        Problem(code, detail: detail, extensions: extensions, headers: headers.adding(fields), cause: cause)
    }

    /// Returns the same problem with a hint, unless it has a more specific hint or is not about the link.
    package func adding(hint: String) -> Problem {
        guard !extensions.contains(where: { $0.name.bytewise == "hint" }) else { return self }
        return switch code {
        case .malformedLink, .noMatchingRoute, .invalidParameter, .conflictingDestinations, .tooDeep,
            .insufficientAuthorizationLevel, .missingGrant, .otherApp, .appUpdateRequired:
            adding(.init("hint", text: hint))
        default: self
        }
    }

    /// Returns the same problem, to which a server error (5xx) adds the request's id in the server's log.
    package func identified(by requestID: String) -> Problem {
        guard code.status >= 500, !extensions.contains(where: { $0.name.bytewise == "requestId" }) else {
            return self
        }
        return adding(ProblemExtension("requestId", text: requestID))
    }

    /// Returns the problem of a part of a request, with the reason why it is refused.
    package static func invalidRequest(field: String, reason: InvalidRequestReason, detail: String) -> Problem {
        Problem(
            .invalidRequest,
            detail: detail,
            extensions: [.init("field", text: field), .init("reason", text: reason.rawValue)]
        )
    }
}

extension Problem {
    /// Returns the problem of a required part that is absent.
    package static func missing(field: String, detail: String) -> Problem {
        invalidRequest(field: field, reason: .missing, detail: detail)
    }

    /// Returns the problem of a part that is not supported here.
    package static func unknown(field: String, detail: String) -> Problem {
        invalidRequest(field: field, reason: .unknown, detail: detail)
    }

    /// Returns the problem of a part that is given twice.
    package static func duplicate(field: String, detail: String) -> Problem {
        invalidRequest(field: field, reason: .duplicate, detail: detail)
    }

    /// Returns the problem of a part that contradicts another.
    package static func conflict(field: String, detail: String) -> Problem {
        invalidRequest(field: field, reason: .conflict, detail: detail)
    }

    /// Returns the problem of a part of the wrong JSON type.
    package static func wrongType(field: String, detail: String) -> Problem {
        invalidRequest(field: field, reason: .wrongType, detail: detail)
    }

    /// Returns the problem of a part of the right form, but with an invalid value.
    package static func invalidValue(field: String, detail: String) -> Problem {
        invalidRequest(field: field, reason: .invalidValue, detail: detail)
    }

    /// Returns the problem of a part that cannot be parsed.
    package static func malformed(field: String, detail: String) -> Problem {
        invalidRequest(field: field, reason: .malformed, detail: detail)
    }
}

/// The reason why a part of a request is refused.
///
/// The raw value is sent to clients.
package enum InvalidRequestReason: String {
    /// A required part is absent.
    case missing

    /// The request has a part that is not supported here.
    case unknown

    /// A part is given twice.
    case duplicate

    /// Two parts contradict each other.
    case conflict

    /// A part is of the wrong JSON type.
    case wrongType = "wrong-type"

    /// A part has the right form, but an invalid value.
    case invalidValue = "invalid-value"

    /// A part cannot be parsed.
    case malformed
}

extension String {
    /// Returns the text, truncated with an ellipsis if it has more than `limit` bytes of UTF-8.
    package func truncated(toByteCount limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: limit)
        // Do not split the bytes of a character.
        while end > utf8.startIndex, utf8[end] & 0xC0 == 0x80 { end = utf8.index(before: end) }
        return String(decoding: utf8[..<end], as: UTF8.self) + "…"
    }
}

extension Problem {
    /// Creates the problem of a link without a valid signature, by its reason.
    package init(_ refusal: SignatureRefusal) {
        let route = ProblemExtension("route", text: refusal.demand.route)
        switch refusal {
        case .missing: self.init(.signatureRequired, detail: refusal.message, extensions: [route])
        case .invalid(let fault, _):
            self.init(
                .invalidSignature,
                detail: refusal.message,
                extensions: [route, .init("reason", text: fault.rawValue)]
            )
        }
    }
}

extension Resolution {
    /// Returns the plan.
    ///
    /// - Throws: `Problem` for every other answer.
    package func plan() throws(Problem) -> RoutePlan {
        switch self {
        case .plan(let plan): return plan
        case .denial(let denial): throw Problem(denial)
        case .otherApp(let denial): throw Problem(denial)
        case .outdated(let update): throw Problem(update)
        case .failure(let failure): throw Problem(failure)
        }
    }
}

extension Decision {
    /// Returns the plan.
    ///
    /// - Throws: `Problem` for every other outcome.
    package func plan() throws(Problem) -> RoutePlan {
        switch outcome {
        case .resolution(let resolution): try resolution.plan()
        case .refusal(let refusal): throw Problem(refusal)
        }
    }

    /// Advice on the problem, as a sentence with a leading space, or an empty text.
    package var advice: String {
        switch outcome {
        case .resolution(.denial(let denial)):
            let gate = denial.gate.map { gate in
                " The way there is \(gate.link), which gives \(denial.catalog.text(of: gate.gives))"
                    + (gate.stack == nil ? "; the app is too old for it." : ".")
            }
            return gate ?? ""
        case .resolution(.otherApp(let denial)): return denial.link.map { " The link for it is \($0)." } ?? ""
        case .resolution(.outdated(let update)): return update.storeLink.map { " It is updated at \($0)." } ?? ""
        case .resolution(.failure(let failure)): return failure.hint.map { " " + $0 } ?? ""
        case .resolution(.plan), .refusal: return ""
        }
    }
}

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

    /// Creates the problem of a link that another app has, with the link to open there and that app's page in the store.
    package init(_ denial: OtherApp) {
        var extensions: [ProblemExtension] = [
            .init("route", text: denial.route),
            .init("app", text: denial.owner),
            .init("appVersion", text: denial.app.text),
        ]
        if let link = denial.link { extensions.append(.init("link", text: link)) }
        if let link = denial.storeLink { extensions.append(.init("storeLink", text: link)) }
        self.init(
            .otherApp,
            detail:
                "The destination \(denial.route) is in the app \(denial.owner); it is asked for \(denial.app.text).",
            extensions: extensions
        )
    }

    /// Returns the problem of a name that is not an app's of the catalog.
    package static func unknownApp(_ name: String, in apps: Apps, field: String) -> Problem {
        let names = apps.named.map { "`\($0.name ?? "")`" }
        let known =
            names.isEmpty
            ? "the catalog names none; send a platform and a version, such as `ios/3.1.0`"
            : "apps are \(names.joined(separator: ", "))"
        return .invalidValue(field: field, detail: "`\(name)` isn't an app; \(known).")
    }

    /// Creates the problem of an app that is too old for a link, with its page in the store.
    package init(_ update: AppUpdate) {
        var extensions: [ProblemExtension] = [
            .init("route", text: update.route),
            .init("platform", text: update.app.platform.rawValue),
            .init("requiredVersion", text: update.requiredVersion.text),
            .init("appVersion", text: update.app.number?.text ?? "0"),
        ]
        if let link = update.storeLink { extensions.append(.init("storeLink", text: link)) }
        self.init(
            .appUpdateRequired,
            detail: "The destination \(update.route) takes the app from \(update.app.textWithoutNumber)/"
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
