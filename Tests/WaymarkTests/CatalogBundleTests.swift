import DeepLinkAuthentication
import DeepLinkCatalog
import DeepLinkFormats
import Foundation
import Testing
import WaymarkOffline
import WaymarkTestSupport

@testable import WaymarkCommands

@Suite struct CatalogBundleTests {
    private static let text = """
        version: 1
        origins: [{ scheme: taxi, hosts: [taxi.example] }]
        gates: { signedInUser: /login }
        apps:
          rider: { was: unnamed, ios: [{ appID: ABCDE12345.example.rider }] }
          driver: { ios: [{ appID: ABCDE12345.example.driver }] }
        entry: { login: root, home: root }
        routes:
          login: {}
          home: { path: "", opens: { ride: push, shift: { presentation: push, app: driver } } }
          ride: { path: "ride/{id}", app: rider, parameters: { id: int }, authorizationLevel: signedInUser }
          shift: { since: { ios: "2.0" } }

        """

    /// The keys of routes and edges that 1.0.0 read: `RouteReader.keys` and `EdgeReader.keys` in `Sources/DeepLinkCatalog`
    /// of that release, with the names and derived members of the JSON that `CatalogDocumentForm` took there.
    private static let routeKeys: Set<String> = [
        "path", "aliases", "query", "parameters", "link", "authorizationLevel", "requires", "since", "opens",
        "description",
        "web", "signed", "shortLink", "name", "location",
    ]
    private static let edgeKeys: Set<String> = [
        "presentation", "path", "aliases", "query", "parameters", "paths", "authorizationLevel", "requires", "since",
        "initial", "linkable", "route", "location",
    ]

    private func bundle(_ arguments: String..., text: String = text) async throws -> (
        outcome: Waymark.Outcome, json: [String: Any]
    ) {
        try await TemporaryFolder.with { folder in
            let (file, key, output) = (folder + "/taxi.yaml", folder + "/bundle.key", folder + "/catalog.bundle")
            try text.write(toFile: file, atomically: true, encoding: .utf8)
            let pem = """
                -----BEGIN PRIVATE KEY-----
                MC4CAQAwBQYDK2VwBCIEIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH
                -----END PRIVATE KEY-----

                """
            try pem.write(toFile: key, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
            let outcome = try await Waymark.run(
                ["catalog", "bundle", file, "--key", key, "--sequence", "7", "--output", output] + arguments
            )
            let bytes = try? Data(contentsOf: URL(fileURLWithPath: output))
            let json = try bytes.map { try JSONSerialization.jsonObject(with: $0) as? [String: Any] }
            return (outcome, (json ?? nil)?["catalog"] as? [String: Any] ?? [:])
        }
    }

    @Test func `a bundle of several apps is warned about, with the keys`() async throws {
        let (outcome, json) = try await bundle()
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(
            outcome.errors.contains(
                "engines of 1.0 refuse this bundle because of `apps.rider`, `apps.driver`, `opens.app`, `routes.app`. "
                    + "Write one for each app with --app."
            ),
            "\(outcome.errors)"
        )
        #expect((json["apps"] as? [String: Any])?.keys.sorted() == ["android", "driver", "ios", "rider"])
    }

    @Test(arguments: ["rider", "driver"])
    func `a bundle of one app has only keys that 1.0 reads`(_ app: String) async throws {
        let (outcome, json) = try await bundle("--app", app)
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(!outcome.errors.contains("engines of 1.0"), "\(outcome.errors)")
        let apps = try #require(json["apps"] as? [String: [[String: Any]]])
        #expect(apps["ios"]?.first?["appID"] as? String == "ABCDE12345.example.\(app)")
        #expect(Set(apps.keys).isSubset(of: ["ios", "android"]))
        let routes = try #require(json["routes"] as? [[String: Any]])
        #expect(
            routes.compactMap { $0["name"] as? String }
                == ["login", "home", app == "rider" ? "ride" : "shift"]
        )
        for route in routes {
            #expect(Set(route.keys).isSubset(of: Self.routeKeys), "\(route.keys)")
            for edge in route["opens"] as? [[String: Any]] ?? [] {
                #expect(Set(edge.keys).isSubset(of: Self.edgeKeys), "\(edge.keys)")
            }
        }
    }

    @Test func `an unknown app is refused with the apps that there are`() async throws {
        let (outcome, _) = try await bundle("--app", "courier")
        #expect(outcome.code == 64)
        #expect(
            outcome.errors.contains("`courier` isn't an app of the catalog; there are rider, driver."),
            "\(outcome.errors)"
        )
    }

    @Test func `a newer key that no app needs by name is named without the advice`() async throws {
        let (outcome, _) = try await bundle(
            "--app",
            "driver",
            text: Self.text.replacing(
                "shift: {",
                with: "shift: { parameters: { days: { type: \"[int]\", separator: \",\" } },"
            )
        )
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(
            outcome.errors.contains("engines of 1.0 refuse this bundle because of `parameters.separator`.\n"),
            "\(outcome.errors)"
        )
    }
}
