package import DeepLinkCore
package import DeepLinkFormats

/// A query whether a phone opens a URL in an app.
package struct AssociationQuestion: Sendable {
    private let url: String
    private let platform: AssociationPlatform
    private let domain: String?
    private let app: String?

    /// Creates a query.
    ///
    /// Without a domain, it applies to the file of the URL's host, and without an app, to any app.
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
    ) -> AssociationAnswer {
        let files = files ?? AssociationFiles(catalog)
        let shown = AssociationAnswer.Shown(url, catalog: catalog, keys: verifier, at: time())
        guard let parsed = PlatformURL(url), let bytes = files.file(for: platform, of: parsed),
            let json = try? JSONParser.parse(bytes), let verdict = try? verdict(by: json)
        else { return AssociationAnswer(verdict: .closed, shown: shown) }
        return AssociationAnswer(verdict: verdict, shown: shown)
    }
}
