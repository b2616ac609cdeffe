import DeepLinkCatalog
import DeepLinkCore
import DeepLinkFormats
import DeepLinkWeb
import Foundation
import Testing
import WaymarkRuntime
import WaymarkTestSupport

@testable import DeepLinkComparison

/// The law of arrivals for every link that shows a catalog's behavior, in the catalogs of this checkout with web links.
@Suite struct ArrivalWitnessTests {
    /// Apps for a catalog that names none.
    private static let apps = """

        apps:
          ios: [{ appID: ABCDE12345.com.example.app, storeID: 123456789, copy: true }]
          android: [{ package: com.example.app, fingerprints: ["\(fingerprint)"] }]

        """

    private static let fingerprint = Array(repeating: "14", count: 32).joined(separator: ":")

    private func catalog(_ file: String) throws -> RouteCatalog {
        let text = String(decoding: try Checkout.bytes(file), as: UTF8.self)
        let own =
            text.contains("\napps:") ? text.replacing("scheme: shop }]", with: "scheme: shop, copy: true }]") : nil
        return try CatalogLoader.load(Array((own ?? text + Self.apps).utf8), file: file)
    }

    private func links(of catalog: RouteCatalog) throws -> [String] {
        let origins = WitnessOrigins.shared(by: catalog, catalog).new
        let witnesses = WitnessLinks(catalog, under: origins, interruption: .never)
        let names = catalog.edges.indices.map { "\($0)".bytewise }
        let edges = try witnesses.edges(beside: { _ in nil }, name: { names[$0] }).witnesses
        let links = try (edges + witnesses.ofOrigins()).map(\.link.text)
        return Set(links.filter { $0.hasPrefix("https://") }).sorted()
    }

    private func stack(_ link: String, _ catalog: RouteCatalog) throws -> [DeepLinkCore.Destination] {
        let request = ResolutionRequest(link: try DeepLink(bytes: Array(link.utf8)))
        guard case .plan(let plan) = resolve(request, userLevel: .highest, catalog: catalog) else { return [] }
        return plan.stack
    }

    @Test(arguments: [
        ("Config/routes.yaml", 10), ("Config/examples/link-domain.yaml", 10), ("Config/examples/router.yaml", 10),
        ("Config/examples/apps/deeplinkdispatch.yaml", 10), ("Config/examples/apps/element-x.yaml", 10),
        ("Config/examples/apps/wordpress-android.yaml", 100),
    ])
    func `every way of an installation leads to the link's stack`(_ file: String, _ leastCount: Int) throws {
        let catalog = try catalog(file)
        let hosts = catalog.origins.filter { $0.scheme == "https" }.flatMap(\.hosts)
        let reader = ArrivalReader(hosts: hosts)
        let pages = LinkPages(catalog)
        var carriedCount = 0
        for link in try links(of: catalog) {
            let want = try stack(link, catalog)
            guard !want.isEmpty else { continue }
            for platform in [DevicePlatform.ios, .android] {
                let carried = ArrivalPage(link, of: pages, on: platform).arrivals(by: reader)
                for found in carried {
                    #expect(try stack(try #require(found, "\(link)"), catalog) == want, "\(link) as \(found ?? "")")
                }
                carriedCount += carried.count
            }
        }
        #expect(carriedCount >= leastCount, "\(carriedCount)")
    }
}
