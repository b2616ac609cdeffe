import DeepLinkCore
import Testing
import WaymarkTestSupport

/// The link tables of real apps, as catalogs in `Config/examples/apps`, with those apps' own cases.
@Suite struct AppExampleTests {
    /// The cases that no catalog says, with the reason; decision record 18 has more on each.
    static let inexpressible = [
        "dld-050": "the scheme and a part of the host are parameters",
        "dld-055": "a value in the path that does not fit is replaced by another",
        "wpa-006": "whether the app knows the site decides",
        "wpa-007": "whether the app knows the post decides",
        "wpa-011": "whether the app knows the site decides",
        "wpa-012": "whether the app knows the post decides",
        "wpa-056": "the value of a query key decides between routes",
        "wpa-057": "the value of a query key decides between routes",
        "wpa-065": "a value stands inside a value",
    ]

    static let catalogs = Dictionary(
        uniqueKeysWithValues: AppCase.apps.map { app in (app, Result { try Example.catalog("apps/\(app)") }) }
    )

    @Test(arguments: AppCase.all)
    func `a link of an app opens what the app opens`(_ example: AppCase) throws {
        let catalog = try #require(Self.catalogs[example.app]).get()
        let difference = example.difference(in: catalog)
        if let reason = Self.inexpressible[example.id] {
            #expect(difference != nil, "it can be said after all that \(reason)")
        } else {
            #expect(difference == nil)
        }
    }

    @Test func `the cases are there`() {
        #expect(AppCase.all.count == 164)
        #expect(Set(Self.inexpressible.keys).isSubset(of: AppCase.all.map(\.id)))
    }
}
