package import DeepLinkCore
package import DeepLinkFormats

/// The answer to the query whether a phone opens a URL in an app.
package struct AssociationResult: Sendable {
    /// The resolution of the URL by the catalog itself, for a user with all permissions.
    package enum Shown: Sendable {
        /// The stack that the app shows, root first.
        case stack([Destination])

        /// The problem of a URL that does not resolve.
        case problem(Problem)

        /// Resolves a URL, and checks its signature if a route needs one.
        package init(
            _ url: String,
            catalog: RouteCatalog,
            keys verifier: some SignatureVerifier,
            at time: @autoclosure () -> Timestamp
        ) {
            let request: ResolutionRequest
            do throws(LinkSyntaxError) {
                request = ResolutionRequest(link: try DeepLink(url))
            } catch {
                self = .problem(Problem(error))
                return
            }
            let decision = decide(request, permissions: .all, catalog: catalog, keys: verifier, at: time())
            do throws(Problem) {
                self = .stack(try decision.plan().stack)
            } catch {
                self = .problem(error)
            }
        }
    }

    /// The verdict of the file.
    package let verdict: AssociationVerdict

    /// The resolution by Waymark, if the file is the catalog's own.
    package let shown: Shown?

    /// The names of the apps that open the URL, in the order of the catalog, or `nil` if the catalog names no apps, or the
    /// file is not its own.
    ///
    /// The unnamed app beside them is `unnamed`.
    package let apps: [String]?

    /// Creates an answer.
    package init(verdict: AssociationVerdict, shown: Shown? = nil, apps: [String]? = nil) {
        self.verdict = verdict
        self.shown = shown
        self.apps = apps
    }

    /// The lines of the answer for a person.
    package var lines: [String] {
        var lines = [verdict.opens ? "opens the app" : "does not open the app"]
        if let rule = verdict.rule, let component = verdict.component {
            var writer = JSONWriter()
            writer.json(component)
            lines.append("rule      \(rule): \(String(decoding: writer.bytes, as: UTF8.self))")
        } else {
            lines.append("rule      none")
        }
        if let apps, !apps.isEmpty { lines.append("apps      " + apps.joined(separator: ", ")) }
        switch shown {
        case .stack(let stack)?: lines.append("shows     " + stack.map(\.route).joined(separator: " › "))
        case .problem(let problem)?: lines.append("shows     nothing: \(problem.code.rawValue)")
        case nil: break
        }
        return lines
    }
}

extension AssociationResult: WireBody {
    /// Writes the answer as a JSON object.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            verdict.write(membersTo: &writer)
            if let apps { writer.member("apps", texts: apps) }
            switch shown {
            case .stack(let stack)?:
                writer.key("stack")
                writer.stack(stack)
            case .problem(let problem)?:
                writer.member("problem", problem.code.rawValue)
            case nil: break
            }
        }
    }
}

/// A query whether a phone opens a URL in an app.
package struct AssociationQuery: Sendable {
    private let url: String
    private let platform: AssociationPlatform
    private let domain: String?
    private let app: String?

    /// Creates a query.
    ///
    /// Without a domain, it applies to the file of the URL's host, and without an app, to any app. An app is an
    /// identifier of the platform, or, for the file of a catalog, the name of one of its apps.
    package init(url: String, platform: AssociationPlatform, domain: String?, app: String?) {
        self.url = url
        self.platform = platform
        self.domain = domain
        self.app = app
    }

    /// Returns the verdict of a file.
    ///
    /// - Throws: ``MatchingEffortError``.
    package func verdict(
        by json: JSONValue,
        _ effort: MatchingEffort = MatchingEffort()
    ) throws(MatchingEffortError) -> AssociationVerdict {
        guard let url = PlatformURL(url) else { return .closed }
        var effort = effort
        return switch platform {
        case .ios:
            try AppleAssociationFile(json).verdict(on: url, domain: domain ?? "", app: app, &effort)
        case .android:
            try AndroidAssociationFile(json).verdict(on: url, domain: domain ?? "", app: app, &effort)
        }
    }

    /// Returns the verdict of the file generated for the URL's host by a catalog, together with the catalog's own
    /// resolution.
    ///
    /// - Parameters:
    ///   - catalog: the catalog.
    ///   - files: the catalog's files, if they are already generated.
    ///   - verifier: the keys. A link with an invalid signature doesn't resolve.
    ///   - time: the time of the check, read only if a signature is checked.
    /// - Returns: the answer.
    package func answer(
        from catalog: RouteCatalog,
        files: AssociationFiles? = nil,
        keys verifier: some SignatureVerifier,
        at time: @autoclosure () -> Timestamp
    ) -> AssociationResult {
        let files = files ?? AssociationFiles(catalog)
        let shown = AssociationResult.Shown(url, catalog: catalog, keys: verifier, at: time())
        guard let parsed = PlatformURL(url), let bytes = files.file(for: platform, of: parsed),
            let json = try? JSONParser.parse(bytes), let verdict = try? verdict(by: json, ofAppsIn: catalog.apps)
        else { return AssociationResult(verdict: .closed, shown: shown, apps: catalog.apps.named.isEmpty ? nil : []) }
        return AssociationResult(verdict: verdict, shown: shown, apps: names(of: catalog.apps, openingBy: json))
    }

    /// Returns the verdict of a catalog's file: for the name of an app, the verdict of its first form that opens the URL.
    private func verdict(by json: JSONValue, ofAppsIn apps: Apps) throws(MatchingEffortError) -> AssociationVerdict {
        guard let named = app.flatMap(apps.index(named:)) else { return try verdict(by: json) }
        return apps[named].identifiers(on: platform).lazy.compactMap { try? verdict(by: json, ofApp: $0) }
            .first { $0.opens } ?? .closed
    }

    /// Returns the verdict of a file for one identifier of the platform.
    private func verdict(by json: JSONValue, ofApp identifier: String) throws(MatchingEffortError) -> AssociationVerdict
    {
        try AssociationQuery(url: url, platform: platform, domain: domain, app: identifier).verdict(by: json)
    }

    /// Returns the names of the apps that open the URL, or `nil` if the catalog names none.
    private func names(of apps: Apps, openingBy json: JSONValue) -> [String]? {
        guard !apps.named.isEmpty else { return nil }
        let opening = apps.all.filter { declared in
            declared.identifiers(on: platform)
                .contains { identifier in
                    guard [nil, identifier.bytewise, declared.name?.bytewise].contains(app?.bytewise) else {
                        return false
                    }
                    return (try? verdict(by: json, ofApp: identifier))?.opens == true
                }
        }
        return opening.map { $0.name ?? "unnamed" }
    }
}

extension DeclaredApp {
    /// Returns the identifiers of an app on a platform, in the order of the catalog.
    fileprivate func identifiers(on platform: AssociationPlatform) -> [String] {
        switch platform {
        case .ios: apple.map(\.appID)
        case .android: android.map(\.package)
        }
    }
}
