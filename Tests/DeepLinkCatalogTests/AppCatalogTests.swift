import DeepLinkCatalog
import DeepLinkCore
import DeepLinkFormats
import Testing

/// Checks that a catalog of one app has the links of this app and of every app, with the same answers.
@Suite struct `Catalogs of one app` {
    private static let text = """
        version: 1
        origins: [{ scheme: taxi, hosts: [taxi.example] }]
        gates: { signedInUser: /login, premiumUser: /documents }
        apps:
          rider: { was: unnamed, ios: [{ appID: ABCDE12345.example.rider, storeID: 1 }] }
          driver: { ios: [{ appID: ABCDE12345.example.driver, scheme: taxidriver }] }
        entry: { login: root, home: root, documents: root, shift: root }
        routes:
          login: {}
          home:
            path: ""
            opens:
              rides: { presentation: tab, initial: true, app: rider }
              shifts: { presentation: tab, app: driver }
              help: push
          rides: { opens: { ride: push } }
          ride: { path: "ride/{id}", parameters: { id: int }, authorizationLevel: signedInUser, opens: { receipt: sheet } }
          receipt: { parameters: { rideID: { inherit: ride.id } } }
          shifts: { opens: { receipt: push } }
          documents: { app: driver }
          shift: { app: driver, authorizationLevel: premiumUser, since: { ios: "2.0" } }
          help: {}

        """

    private func catalog() throws -> RouteCatalog {
        try CatalogLoader.load(Array(Self.text.utf8), file: "taxi.yaml")
    }

    private func names(_ app: String) throws -> [String] {
        let catalog = try catalog()
        let index = try #require(catalog.apps.index(named: app))
        return try catalog.restricted(to: index).routes.map(\.name)
    }

    @Test func `an app has its routes, the routes of every app, and nothing that only other apps lead to`() throws {
        #expect(try names("rider") == ["login", "home", "rides", "ride", "receipt", "help"])
        // Help is over the initial tab, which only riders have.
        #expect(try names("driver") == ["login", "home", "receipt", "shifts", "documents", "shift"])
    }

    @Test func `gates of other apps are left out, and the app is the unnamed one`() throws {
        let whole = try catalog()
        let rider = try whole.restricted(to: try #require(whole.apps.index(named: "rider")))
        #expect(rider.gatesInOrder.map { whole.text(of: $0.gives) } == ["signedInUser"])
        #expect(rider.apps.named.isEmpty)
        #expect(rider.apps.unnamed.apple.map(\.appID) == ["ABCDE12345.example.rider"])
        #expect(rider.version == whole.version)
        #expect(!rider.dividesApps)
        let driver = try whole.restricted(to: try #require(whole.apps.index(named: "driver")))
        #expect(driver.gatesInOrder.map { whole.text(of: $0.gives) } == ["signedInUser", "premiumUser"])
        #expect(driver.apps.unnamed.apple.map(\.scheme) == ["taxidriver"])
    }

    @Test func `a value is not inherited from a route that the app lacks`() throws {
        let whole = try catalog()
        func parameters(_ app: String) throws -> [String] {
            let catalog = try whole.restricted(to: try #require(whole.apps.index(named: app)))
            return try #require(catalog.routes.first { $0.name == "receipt" }).parameters.map(\.name)
        }
        #expect(try parameters("rider") == ["rideID"])
        #expect(try parameters("driver").isEmpty)
    }

    @Test(arguments: ["rider", "driver"])
    func `the links of an app have the stacks of the whole catalog`(_ app: String) throws {
        let whole = try catalog()
        let part = try whole.restricted(to: try #require(whole.apps.index(named: app)))
        func stack(_ link: String, _ catalog: RouteCatalog) throws -> [String]? {
            let request = ResolutionRequest(link: try DeepLink("taxi://taxi.example" + link))
            guard case .plan(let plan) = resolve(request, permissions: .all, catalog: catalog) else { return nil }
            return plan.stack.map { "\($0.route) \($0.presentation.name)" }
        }
        let links = ["/login", "/rides/ride/7", "/rides/ride/7/receipt", "/shifts/receipt", "/documents", "/shift"]
        var count = 0
        for link in links {
            guard let own = try stack(link, part) else { continue }
            count += 1
            #expect(own == (try stack(link, whole)), "\(link)")
        }
        #expect(count == (app == "rider" ? 3 : 4))
    }

    @Test func `routes stand where the file declares them`() throws {
        let whole = try catalog()
        let driver = try whole.restricted(to: try #require(whole.apps.index(named: "driver")))
        for route in driver.routes {
            let original = try #require(whole.routes.first { $0.name == route.name })
            #expect(route.location == original.location)
        }
        #expect(driver.edges.allSatisfy { $0.location.file == "taxi.yaml" && $0.location.line > 1 })
    }

    @Test func `each catalog of an app loads from its own JSON`() throws {
        let whole = try catalog()
        for app in whole.apps.indexes {
            let json = CatalogBody(try whole.restricted(to: app)).json
            let again = try CatalogLoader.load(json, file: "app.json")
            #expect(String(decoding: CatalogBody(again).json, as: UTF8.self).contains("\"apps\":{\"ios\":[{"))
            #expect(!String(decoding: json, as: UTF8.self).contains("\"app\":"))
        }
    }
}
