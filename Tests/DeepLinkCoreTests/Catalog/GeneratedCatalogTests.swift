import DeepLinkCore
import Testing
import WaymarkTestSupport

@Suite struct GeneratedCatalogTests {
    @Test func `the laws are held against everything that a catalog can say`() async {
        var counts: [String: Int] = [:]
        func count(_ name: String, _ isThere: Bool) { counts[name, default: 0] += isThere ? 1 : 0 }
        for generated in await GeneratedCatalog.all {
            await Task.yield()
            for link in generated.links(4) {
                guard
                    case .plan(let plan) = resolve(
                        ResolutionRequest(link: link),
                        userLevel: .premiumUser,
                        catalog: generated.catalog
                    )
                else { continue }
                count("a host that is a segment", link.scheme == "https")
                count("a link without a slash", link.isRootless)
                count("a fragment that is routed", link.fragment?.isEmpty == false && plan.unusedFragment == nil)
                count("a fragment that is not", plan.unusedFragment != nil)
                let edges = generated.catalog.match(link)?.edges(in: generated.catalog)
                    .map { generated.catalog.edges[$0] }
                for edge in edges ?? [] {
                    count("a link in a link", edge.linkParameter != nil)
                    count("a fixed value", edge.parameters.contains { $0.fixedValue != nil })
                    count("a value that may be ignored", edge.parameters.contains(where: \.ignoresInvalid))
                    if case .path(let pattern) = edge.address {
                        count(
                            "a segment of parts",
                            pattern.segments.contains { $0.identifier == nil && !$0.identifiers.isEmpty }
                        )
                    }
                    count("an alias that drops", edge.aliases.contains(where: \.hasWildcards))
                }
            }
        }
        print("law: \(counts.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }.joined(separator: ", "))")
        #expect(counts.count == 9)
        for (name, number) in counts { #expect(number > Effort.part(of: 20), "\(number) × \(name)") }
    }
}
