package import DeepLinkCore
package import DeepLinkFormats

/// A question whether a phone opens a URL in an app.
package struct AssociationQuestion: Sendable {
    private let url: String
    private let platform: AssociationPlatform
    private let domain: String?
    private let app: String?

    /// Asks about a URL; without a domain, the file is that of the URL's host, and without an app, it is any.
    package init(url: String, platform: AssociationPlatform, domain: String?, app: String?) {
        self.url = url
        self.platform = platform
        self.domain = domain
        self.app = app
    }

    /// Decides by a file.
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
        case .android: AndroidAssociationFile(json).verdict(on: url, domain: domain ?? "", app: app)
        }
    }

    /// Decides by the file that a catalog makes for the URL's host, and says what the catalog's own answer to the URL is.
    package func answer(from catalog: RouteCatalog, _ files: AssociationFiles? = nil) -> AssociationAnswer {
        let files = files ?? AssociationFiles(catalog)
        let shown = AssociationAnswer.Shown(url, catalog)
        guard let parsed = PlatformURL(url), let bytes = files.file(for: platform, host: parsed.host),
            let json = try? JSONParser.parse(bytes), let verdict = try? verdict(by: json)
        else { return AssociationAnswer(verdict: .closed, shown: shown) }
        return AssociationAnswer(verdict: verdict, shown: shown)
    }
}
