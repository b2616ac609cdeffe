import DeepLinkCore
import DeepLinkFormats
import DeepLinkWeb
import Testing

/// The files of one catalog, read by the matchers.
struct AssociationReader {
    /// The `apps` of a catalog in YAML, with an app of each platform.
    static let apps =
        "apps: { ios: [{ appID: ABCDE12345.com.example.app }], "
        + "android: [{ package: com.example.app, fingerprints: [\"\(AppFamily.fingerprint)\"] }] }"

    let catalog: RouteCatalog
    let files: AssociationFiles
    let apple: AppleAssociationFile
    let android: AndroidAssociationFile

    init?(_ catalog: RouteCatalog) throws {
        self.catalog = catalog
        files = AssociationFiles(catalog)
        let host = files.hosts[0]
        guard let ios = files.file(for: .ios, host: host), let android = files.file(for: .android, host: host)
        else {
            return nil
        }
        apple = AppleAssociationFile(try JSONParser.parse(ios))
        self.android = AndroidAssociationFile(try JSONParser.parse(android))
    }

    /// Returns the verdict of each reader, by its name.
    func verdicts(on link: String) throws -> [(name: String, verdict: AssociationVerdict)] {
        let url = try #require(PlatformURL(link))
        var effort = MatchingEffort()
        let ios = try apple.verdict(on: url, domain: url.host, app: catalog.apps.first.apple.first?.appID, &effort)
        return try [("Apple", ios)]
            + AndroidGeneration.allCases.map { generation in
                (
                    "Android \(generation)",
                    try android.verdict(
                        on: url,
                        domain: url.host,
                        app: catalog.apps.first.android.first?.package,
                        generation: generation,
                        &effort
                    )
                )
            }
    }
}
