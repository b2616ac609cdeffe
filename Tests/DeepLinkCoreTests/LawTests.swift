import DeepLinkCore
import Testing
import WaymarkTestSupport

/// Checks what must hold for every catalog and link, on generated ones; a failure names its seed.
@Suite struct LawTests {
    private static let catalogCount = 2_000
    private static let linksPerCatalog = 8

    /// Calls a body for each accepted catalog with links that wander through it.
    private func forEachCatalog(_ body: (UInt64, CatalogDefinition, RouteCatalog, [DeepLink]) -> Void) -> Int {
        var seed: UInt64 = 0
        var accepted = 0
        while accepted < Self.catalogCount {
            seed += 1
            var generator = CatalogGenerator(seed: seed)
            let definition = generator.definition()
            // Unreachable routes do no harm here; every other fault makes the catalog no catalog.
            guard let catalog = try? RouteCatalog(reachable(definition)) else { continue }
            accepted += 1
            let links = (0..<Self.linksPerCatalog).compactMap { _ in try? DeepLink(generator.link(in: catalog)) }
            body(seed, reachable(definition), catalog, links)
        }
        return Int(seed)
    }

    /// Leaves out the routes that nothing opens.
    private func reachable(_ definition: CatalogDefinition) -> CatalogDefinition {
        var names: Set<String> = []
        var todo = definition.entry.map(\.route.value)
        while let name = todo.popLast() {
            guard names.insert(name).inserted else { continue }
            todo += definition.routes.first { $0.name.value == name }?.opens.map(\.route.value) ?? []
        }
        var definition = definition
        definition.routes = definition.routes.filter { names.contains($0.name.value) }
        return definition
    }

    private func answer(_ link: DeepLink, _ catalog: RouteCatalog, _ level: AuthorizationLevel) -> Resolution {
        resolve(ResolutionRequest(link: link), userLevel: level, catalog: catalog)
    }

    @Test func `a canonical link leads to the same stack and is its own canonical link`() throws {
        var planned = 0
        var printed = 0
        _ = forEachCatalog { seed, _, catalog, links in
            for link in links {
                guard case .plan(let plan) = answer(link, catalog, .premiumUser) else { continue }
                planned += 1
                guard let text = plan.canonicalLink, let canonical = try? DeepLink(text) else { continue }
                printed += 1
                guard case .plan(let again) = answer(canonical, catalog, .premiumUser) else {
                    Issue.record("seed \(seed): \(link.text) prints \(text), which does not resolve")
                    continue
                }
                #expect(again.stack == plan.stack, "seed \(seed): \(link.text) prints \(text)")
                #expect(again.canonicalLink == text, "seed \(seed): \(link.text)")
                #expect(again.unusedQuery.isEmpty, "seed \(seed): \(link.text)")
            }
        }
        // Most stacks have a link, or the law would say little.
        #expect(planned > 3_000)
        #expect(printed * 10 > planned * 9, "\(printed) of \(planned) plans have a canonical link")
    }

    @Test func `a higher level never loses a link`() {
        _ = forEachCatalog { seed, _, catalog, links in
            for link in links {
                var wasGranted = false
                for level in AuthorizationLevel.allCases {
                    let isGranted = if case .plan = answer(link, catalog, level) { true } else { false }
                    #expect(isGranted || !wasGranted, "seed \(seed): \(link.text) at \(level.name)")
                    wasGranted = isGranted
                }
            }
        }
    }

    @Test func `the order of the file changes no answer`() throws {
        _ = forEachCatalog { seed, definition, catalog, links in
            var reversed = definition
            reversed.routes = definition.routes.reversed()
                .map { route in
                    RouteDefinition(
                        name: route.name,
                        address: route.address,
                        parameters: route.parameters,
                        authorizationLevel: route.authorizationLevel,
                        opens: route.opens.reversed(),
                        description: route.description
                    )
                }
            reversed.entry = definition.entry.reversed()
            guard let other = try? RouteCatalog(reversed) else {
                Issue.record("seed \(seed): only one order is accepted")
                return
            }
            for link in links {
                for level in [AuthorizationLevel.none, .premiumUser] {
                    #expect(
                        comparable(answer(link, catalog, level)) == comparable(answer(link, other, level)),
                        "seed \(seed): \(link.text)"
                    )
                }
            }
        }
    }

    /// The order of conflicting routes is that of the file, and means nothing.
    private func comparable(_ resolution: Resolution) -> Resolution {
        if case .failure(.conflictingDestinations(let routes)) = resolution {
            .failure(.conflictingDestinations(routes.sorted()))
        } else {
            resolution
        }
    }

    @Test func `no link that wanders off makes the engine trap`() throws {
        var mutator = LinkMutator(seed: 5)
        var resolved = 0
        for seed in UInt64(1)...100 {
            var generator = CatalogGenerator(seed: seed)
            guard let catalog = try? RouteCatalog(reachable(generator.definition())) else { continue }
            for _ in 0..<200 {
                let tail = String(decoding: mutator.next(), as: UTF8.self)
                guard let link = try? DeepLink(generator.link(in: catalog) + tail) else { continue }
                _ = answer(link, catalog, .premiumUser)
                resolved += 1
            }
        }
        #expect(resolved > 2_000, "\(resolved) links were well-formed")
    }
}
