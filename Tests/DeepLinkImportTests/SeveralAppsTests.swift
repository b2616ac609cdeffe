import DeepLinkCore
import DeepLinkFormats
import DeepLinkImport
import Testing

/// Checks drafts from the manifests and association files of several apps.
@Suite struct SeveralAppsTests {
    private static let links =
        (1...20).flatMap { ["https://taxi.example/ride/\($0)", "https://taxi.example/shift/\($0)"] }
        + Array(repeating: "https://taxi.example/help", count: 9)

    private func manifest(_ package: String, _ prefixes: String...) -> [UInt8] {
        let data = prefixes.map { "<data android:pathPrefix=\"\($0)\"/>" }.joined()
        return Array(
            """
            <manifest package="\(package)"><application><activity android:name=".Main">
            <intent-filter><action android:name="android.intent.action.VIEW"/>
            <data android:scheme="https" android:host="taxi.example"/>\(data)</intent-filter>
            </activity></application></manifest>
            """
            .utf8
        )
    }

    private func association(_ details: String) throws -> JSONValue {
        try JSONParser.parse(Array("{\"applinks\":{\"details\":[\(details)]}}".utf8))
    }

    /// The app of each route that has one.
    private func apps(_ made: LinkImport) -> [String] {
        made.catalog.routes.compactMap { route in route.app.map { "\(route.name) \(made.catalog.apps.name(of: $0))" } }
    }

    @Test func `routes whose links one manifest alone takes are of its app`() throws {
        var tables = CatalogImport.Tables()
        tables.manifests = [
            manifest("com.acme.rider", "/ride", "/help"), manifest("com.acme.driver.app", "/shift", "/help"),
        ]
        let made = try LinkImport(Self.links, tables: tables)
        #expect(made.catalog.apps.named.compactMap(\.name) == ["rider", "driver"])
        #expect(apps(made) == ["ride rider", "shift driver"])
        #expect(made.line("app: rider") == "app: rider  # the files of no other app have its links")
        #expect(made.draft.yaml.contains("  driver: {}  # named after its identifier\n"), "\(made.draft.yaml)")
        #expect(made.draft.yaml.contains("    # android: [{ package: com.acme.driver.app, "))
        #expect(made.check.report.refusedCount == 0, "\(made.report)")
        #expect(try made.stack("https://taxi.example/shift/77") == "home › shift")
        #expect(made.report.contains { $0.contains("apps: 2 are named after their identifiers") })
    }

    @Test func `one prefix of an app is no prefix of the origin`() throws {
        var tables = CatalogImport.Tables()
        tables.manifests = [manifest("com.acme.rider", "/ride"), manifest("com.acme.driver", "/shift")]
        let made = try LinkImport(Self.links, tables: tables)
        #expect(!made.draft.yaml.contains("pathPrefix"))
        #expect(apps(made) == ["ride rider", "shift driver"])
    }

    @Test func `groups of an association file are apps, and the order of their patterns counts`() throws {
        var tables = CatalogImport.Tables()
        tables.associations = [
            try association(
                """
                {"appIDs":["ABCDE12345.com.acme.rider","ABCDE12345.com.acme.rider.Clip"],
                 "components":[{"/":"/shift/*","exclude":true},{"/":"*"}]},
                {"appID":"ABCDE12345.com.acme.driver","paths":["NOT /ride/*","/shift/?*","/help"]}
                """
            )
        ]
        let made = try LinkImport(Self.links, tables: tables)
        let apps = made.catalog.apps.named
        #expect(apps.compactMap(\.name) == ["rider", "driver"])
        #expect(apps.first?.apple.map(\.appID) == ["ABCDE12345.com.acme.rider", "ABCDE12345.com.acme.rider.Clip"])
        #expect(self.apps(made) == ["ride rider", "shift driver"])
    }

    @Test func `an app of both platforms is one app, by its identifier or the end of it`() throws {
        var tables = CatalogImport.Tables()
        tables.manifests = [manifest("com.acme.rider", "/ride"), manifest("com.acme.android.driver", "/shift")]
        tables.associations = [
            try association(#"{"appID":"ABCDE12345.com.acme.rider","paths":["/ride/*"]}"#),
            try association(#"{"appID":"ABCDE12345.com.acme.ios.driver","paths":["/shift/*","/help"]}"#),
        ]
        let made = try LinkImport(Self.links, tables: tables)
        #expect(made.catalog.apps.named.map { "\($0.name ?? "") \($0.apple.count)" } == ["rider 1", "driver 1"])
        #expect(apps(made).sorted() == ["help driver", "ride rider", "shift driver"])
    }

    @Test func `a test build and a clip are no further apps`() throws {
        var tables = CatalogImport.Tables()
        tables.manifests = [manifest("com.acme.rider", "/ride"), manifest("com.acme.rider.debug", "/ride")]
        tables.associations = [
            try association(
                #"{"appID":"ABCDE12345.com.acme.rider","paths":["*"]},{"appID":"ABCDE12345.com.acme.rider.Clip","paths":["/ride/*"]}"#
            )
        ]
        let made = try LinkImport(Self.links, tables: tables)
        #expect(made.catalog.apps.named.isEmpty)
        #expect(made.catalog.apps.unnamed.apple.count == 2)
        #expect(apps(made).isEmpty)
    }

    @Test func `names that are alike have more of the identifier`() throws {
        var tables = CatalogImport.Tables()
        tables.manifests = ["com.acme.app", "com.other.acme", "com.acme.ios"].map { manifest($0, "/ride") }
        let made = try LinkImport(Self.links, tables: tables)
        let names = made.catalog.apps.named.compactMap(\.name)
        #expect(names == ["acme", "otherAcme", "comAcme"])
    }

    @Test func `a manifest at fault is named by its position`() {
        var tables = CatalogImport.Tables()
        tables.manifests = [manifest("com.acme.rider", "/ride"), Array("<other/>".utf8)]
        do {
            _ = try CatalogImport(tables)
            Issue.record("it was taken")
        } catch {
            guard case .manifest(_, at: 1) = error else {
                Issue.record("\(error)")
                return
            }
        }
    }
}
