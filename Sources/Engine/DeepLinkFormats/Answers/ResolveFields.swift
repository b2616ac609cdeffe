package import DeepLinkCore

/// The fields of a resolution that a body, a query and a line of a batch share, and that do not depend on the caller.
package enum ResolveFields {
    /// The names of the fields in a body, in the order of the documentation.
    package static let names = [
        "link", "user", "userVersion", "mode", "from", "partial", "explain", "level", "app", "arrival", "grants",
        "holds",
    ]

    /// Returns the mode of a name, or the usual mode without one.
    ///
    /// - Throws: ``Problem`` of code `invalid-request`.
    package static func mode(_ name: String?) throws(Problem) -> ResolutionRequest.Mode {
        guard let name else { return .replace }
        if let mode = ResolutionRequest.Mode(bytewise: name) { return mode }
        let names = ResolutionRequest.Mode.allCases.map { "`\($0.rawValue)`" }.joined(separator: " or ")
        throw .invalidValue(field: "mode", detail: "`\(name)` isn't a mode; send \(names).")
    }

    /// Returns the stack or the link in the field `from` of a body, or `nil` without it.
    ///
    /// - Throws: ``Problem`` of code `invalid-request`.
    package static func currentStack(
        of body: JSONObjectBody,
        rootless: RootlessSchemes
    ) throws(Problem) -> CurrentStack? {
        switch body["from"] {
        case nil: nil
        case .string(let text)?: try currentStack(Array(text.utf8), rootless: rootless)
        case .array(let items)?: .stack(try JSONValue.array(items).stack(field: "from"))
        case let value?:
            throw .wrongType(field: "from", detail: "`from` is \(value.typeInWords); send a link or a stack.")
        }
    }

    /// Reads the link of the current stack.
    ///
    /// - Throws: ``Problem`` of code `invalid-request`.
    package static func currentStack(
        _ link: [UInt8],
        rootless: RootlessSchemes
    ) throws(Problem) -> CurrentStack {
        do throws(LinkSyntaxError) {
            return .link(try DeepLink(bytes: link, rootless: rootless))
        } catch {
            throw .malformed(
                field: "from",
                detail: "`from` breaks the rule \(error.reason.rawValue) of links at byte \(error.offset). "
                    + error.reason.advice
            )
        }
    }

    /// Returns the permissions of the fields `level` and `grants`.
    ///
    /// - Throws: ``Problem`` if a name isn't a level's or a grant's, or grants are named without a level.
    package static func permissions(
        level name: String?,
        grants names: [String],
        in catalog: RouteCatalog
    ) throws(Problem) -> Permissions {
        var permissions = Permissions(level: try level(name, in: catalog))
        for name in names {
            guard let grant = catalog.grants.grant(named: name) else {
                throw .unknownGrant(name, in: catalog.grants)
            }
            permissions = permissions.adding(.grant(grant))
        }
        return permissions
    }

    /// Returns the level of the field `level`, which stands beside named grants.
    ///
    /// - Throws: ``Problem`` if the name isn't a level's, or is absent.
    package static func level(_ name: String?, in catalog: RouteCatalog) throws(Problem) -> AuthorizationLevel {
        guard let name else {
            throw .conflict(field: "grants", detail: "`grants` stands beside a level; name it as `level`.")
        }
        guard let level = catalog.levels.level(named: name) else { throw .unknownLevel(name, in: catalog.levels) }
        return level
    }

    /// Creates the request for a link.
    ///
    /// - Throws: ``Problem`` of code `malformed-link`.
    package static func request(
        _ link: [UInt8],
        mode: ResolutionRequest.Mode,
        current: CurrentStack?,
        acceptsPart: Bool = false,
        app: AppVersion?,
        in catalog: RouteCatalog
    ) throws(Problem) -> ResolutionRequest {
        do throws(LinkSyntaxError) {
            return try ResolutionRequest(
                link: link,
                mode: mode,
                current: current,
                acceptsPart: acceptsPart,
                app: app,
                rootless: catalog.rootlessSchemes
            )
        } catch {
            throw Problem(error, in: link)
        }
    }
}

/// The path by which a deferred deep link reached the app.
package enum Arrival: String, CaseIterable, Sendable {
    /// The referrer of Google Play.
    case referrer

    /// A text that a person pasted.
    case pasted

    /// Safari's banner.
    case banner

    /// Reads the field `arrival`, or returns `nil` if it is absent.
    ///
    /// - Throws: `Problem` with the code `invalid-request`.
    package static func arrival(_ name: String?) throws(Problem) -> Arrival? {
        guard let name else { return nil }
        if let arrival = Arrival(bytewise: name) { return arrival }
        let names = allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
        throw .invalidValue(field: "arrival", detail: "`\(name)` isn't a way of an arrival; send one of \(names).")
    }
}

extension Problem {
    /// Returns the problem of a request that gives a value in a field of its own, and another one in a header.
    ///
    /// - Parameters:
    ///   - field: The name of the field.
    ///   - header: The name of the header field.
    ///   - values: The plural noun for the values.
    /// - Returns: The problem of code `invalid-request`.
    package static func conflict(field: String, header: String, values: String) -> Problem {
        .conflict(
            field: field,
            detail: "`\(field)` and the header `\(header)` name different \(values); name one."
        )
    }
}

/// The app that a request comes from, as given in the request's own fields, in a header, or in both.
package enum RequestedApp {
    /// The version that an app sends if it does not know its own version.
    private static let unknownVersion = VersionNumber("0")

    /// The platform of a page in a browser.
    private static let page = "browser/"

    /// Returns the app that the request's own fields or its header `Waymark-App` give.
    ///
    /// The result is `nil` if neither is present, or if nothing in the catalog depends on the app that is given.
    ///
    /// - Throws: ``Problem`` if one isn't a version of an app, if it names an app that the catalog does not have, or if
    ///   the two differ.
    package static func app(_ named: String?, header: String?, in catalog: RouteCatalog) throws(Problem) -> AppVersion?
    {
        // The usual case.
        if named == nil, header == nil { return nil }
        let byField = try named.map { text throws(Problem) in try app(text, field: "app", in: catalog) }
        let byHeader = try header.map { text throws(Problem) in try app(text, field: "Waymark-App", in: catalog) }
        guard let byField, let byHeader else { return byField ?? byHeader ?? nil }
        guard byField == byHeader else {
            throw .conflict(field: "app", header: "Waymark-App", values: "versions")
        }
        return byField
    }

    /// Reads the version of an app.
    ///
    /// The version 0 is an app's that does not know its version: only its name counts, and the result is `nil` in a
    /// catalog that does not divide its apps. It is `nil` for a page in a browser too, because no route requires a version
    /// of a page (decision record 54).
    private static func app(
        _ text: String,
        field: String,
        in catalog: RouteCatalog
    ) throws(Problem) -> AppVersion? {
        if let app = AppVersion(text) {
            try check(app, field: field, in: catalog)
            guard app.number == unknownVersion else { return app }
            return catalog.dividesApps ? app.withoutVersion : nil
        }
        let version = text.utf8.dropFirst(page.utf8.count)
        guard text.utf8.starts(with: page.utf8), VersionNumber(String(Substring(version))) != nil else {
            let example = catalog.apps.named.first.map { "\($0.name ?? "").ios/3.1.0" } ?? "ios/3.1.0"
            throw .invalidValue(
                field: field,
                detail:
                    "`\(field)` isn't a version of an app; send a platform and one to \(VersionNumber.maximumCount) numbers, such "
                    + "as `\(example)`."
            )
        }
        return nil
    }

    /// Checks that the catalog has the app that a version names.
    ///
    /// - Throws: ``Problem`` of code `invalid-request`, which lists the apps.
    package static func check(
        _ app: AppVersion,
        field: String = "app",
        in catalog: RouteCatalog
    ) throws(Problem) {
        guard let name = app.name, catalog.apps.index(named: name) == nil else { return }
        throw .unknownApp(name, in: catalog.apps, field: field)
    }
}

/// The response to a link that the user can open.
package struct PlanBody: WireBody {
    private let plan: RoutePlan
    private let levelSource: LevelSource?
    private let explanation: [ExplanationStep]?
    private let hint: String?

    /// Creates a body with a plan and, if given, the source of the user's level, the tried candidates, and a hint.
    package init(
        _ plan: RoutePlan,
        levelSource: LevelSource? = nil,
        explanation: [ExplanationStep]? = nil,
        hint: String? = nil
    ) {
        self.plan = plan
        self.levelSource = levelSource
        self.explanation = explanation
        self.hint = hint
    }

    /// Returns the same response with a hint.
    package func adding(hint: String) -> PlanBody {
        PlanBody(plan, levelSource: levelSource, explanation: explanation, hint: hint)
    }

    /// Writes the body as JSON.
    package func write(to writer: inout JSONWriter) {
        writer.plan(plan, levelSource: levelSource) { writer in
            if let explanation {
                writer.key("explanation")
                writer.explanation(explanation)
            }
            guard let hint else { return }
            writer.member("hint", hint)
        }
    }
}
