import DeepLinkCatalog
import DeepLinkClientCode
import DeepLinkCore
import Testing
import WaymarkTestSupport

/// Checks the code that adapters of routers are given for a catalog, which `scripts/prove` compiles in an app.
@Suite struct RouterAdapterTests {
    private func code(_ language: ClientLanguage, _ router: GenerationOptions.Router, _ catalog: String) throws
        -> GeneratedCode
    {
        let options = GenerationOptions(router: router, generatorVersion: "1")
        return try language.code(for: CatalogLoader.load(Array(catalog.utf8), file: "routes.yaml"), options)
    }

    private static let shop = """
        version: 1
        origins: [{ scheme: shop }]
        entry: { tabs: { presentation: root, initial: true }, login: root }
        routes:
          tabs:
            path: ""
            opens: { home: { presentation: tab, initial: true }, orders: tab, product: push }
          home: { path: "" }
          orders: { opens: { product: push } }
          product: { path: "product/{id}", parameters: { id: int } }
          login: {}
        """

    @Test func `the file of a route has its path, and a container has its layout`() throws {
        let places =
            ["(tabs)/index", "(tabs)/orders/index", "(tabs)/orders/product/[id]", "product/[id]"]
            .map { ExpoPlace(path: $0) }
            + [ExpoPlace(path: "", hasTabs: false), ExpoPlace(path: "(tabs)", hasTabs: true)]
        let code = try code(.typescript, .expo(places), Self.shop)
        let text = try #require(code.screens?.text)
        #expect(code.screens?.name == "appRouteScreens.ts")
        #expect(text.contains("\"tabs\": \"(tabs)\",\n"))
        #expect(text.contains("\"home\": \"(tabs)/index\",\n"))
        #expect(text.contains("\"product\": [\"product/[id]\", \"(tabs)/orders/product/[id]\"],\n"))
        #expect(text.contains("    | `/product/${string}`\n"))
        #expect(text.contains("\"(tabs)\": \"tabs\",\n"))
        #expect(code.routesWithoutFile == ["login"])
        #expect(!text.contains("\"login\":"))
    }

    @Test func `without a tree there is no table`() throws {
        #expect(try code(.typescript, .expo(nil), Self.shop).screens == nil)
        let files = ClientLanguage.typescript.runtime(GenerationOptions(router: .expo(nil), generatorVersion: "1"))
        #expect(files.contains { $0.name == "app/+native-intent.tsx" })
        #expect(files.contains { $0.name == "waymark-engine.ts" })
        #expect(
            !ClientLanguage.typescript.runtime(GenerationOptions(generatorVersion: "1"))
                .contains { $0.name.contains("expo") }
        )
    }

    @Test func `a back stack has a screen for every route`() throws {
        let code = try code(.kotlin, .navigation3, Self.shop)
        let text = try #require(code.screens?.text)
        #expect(code.screens?.name == "AppRouteScreens.kt")
        #expect(text.contains("    fun Product(route: AppRoute.Product, key: AppRouteKey)\n"))
        #expect(text.contains("    AppRoute.Login -> key.entry(metadata) { Login(key) }\n"))
        #expect(text.contains("    is AppRoute.Product -> key.entry(metadata) { Product(route, key) }\n"))
        #expect(!text.contains("else -> null"))
    }
}
