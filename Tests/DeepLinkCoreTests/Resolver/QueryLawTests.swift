import Testing
import WaymarkTestSupport

@testable import DeepLinkCore

/// Checks on generated catalogs that the query is read as simply as it is said to be; a failure names its seed.
@Suite struct QueryLawTests {
    @Test func `the query of a stack is read as a naive reader reads it`() async throws {
        var (compared, severalKeys, others) = (0, 0, 0)
        for generated in await GeneratedCatalog.all {
            await Task.yield()
            let catalog = generated.catalog
            // The naive reader doesn't know queries of other links, or in other places.
            guard !catalog.hasRedirects, !catalog.origins.contains(where: \.routesFragment) else { continue }
            for link in generated.links(8) {
                guard !catalog.plusIsSpace || !link.text.contains("+"),
                    case .plan(let plan) = resolve(
                        ResolutionRequest(link: link),
                        userLevel: .premiumUser,
                        catalog: catalog
                    )
                else { continue }
                compared += 1
                var binder = NaiveBinder(link)
                let names = Set(link.queryItems.map(\.name.bytewise))
                for element in plan.elements {
                    let edge = catalog.graph.edges[element.edge]
                    let inPath = Set(
                        edge.parameters.indices.filter { edge.isInPath[$0] }.map { edge.parameters[$0].name }
                    )
                    let read = element.arguments.filter { !inPath.contains($0.name) }
                    let naive = binder.values(of: edge, isOpenedByKey: element.origin == .query)
                    #expect(read == naive, "seed \(generated.seed): \(link.text)")
                    for parameter in edge.queryParameters where !parameter.otherKeys.isEmpty {
                        severalKeys += 1
                        others += names.contains(parameter.key.bytewise) ? 0 : read.count
                    }
                }
                #expect(plan.unusedQuery == binder.unused, "seed \(generated.seed): \(link.text)")
            }
        }
        // Among them are enough whose parameters have several keys, also such that the first key is not there.
        #expect(compared > Effort.part(of: 8_000), "\(compared)")
        #expect(severalKeys > Effort.part(of: 300), "\(severalKeys)")
        #expect(others > Effort.part(of: 30), "\(others)")
        print("law: \(compared) queries are read as a naive reader reads them, \(severalKeys) values of several keys")
    }
}
