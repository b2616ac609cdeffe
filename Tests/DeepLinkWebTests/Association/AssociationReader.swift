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
    private let apple: AppleAssociationFile

    /// Android's file, as each generation reads it.
    private let android: [(generation: AndroidGeneration, file: AndroidAssociationFile)]

    init?(_ catalog: RouteCatalog) throws {
        self.catalog = catalog
        files = AssociationFiles(catalog)
        let host = files.hosts[0]
        guard let ios = files.file(for: .ios, host: host), let android = files.file(for: .android, host: host)
        else {
            return nil
        }
        apple = AppleAssociationFile(try JSONParser.parse(ios))
        let json = try JSONParser.parse(android)
        self.android = AndroidGeneration.allCases.map { ($0, AndroidAssociationFile(json, generation: $0)) }
    }

    /// Returns the verdict of each reader on whether an app opens a link, by the reader's name.
    ///
    /// Without an app, it is the first of the catalog.
    func verdicts(
        on link: String,
        for app: DeclaredApp? = nil
    ) throws -> [(name: String, verdict: AssociationVerdict)] {
        let app = app ?? catalog.apps.first
        let url = try #require(PlatformURL(link))
        let (appID, package) = try (#require(app.apple.first?.appID), #require(app.android.first?.package))
        var effort = MatchingEffort()
        let ios = try apple.verdict(on: url, domain: url.host, app: appID, &effort)
        return try [("Apple", ios)]
            + android.map {
                try ("Android \($0.generation)", $0.file.verdict(on: url, domain: url.host, app: package, &effort))
            }
    }
}
