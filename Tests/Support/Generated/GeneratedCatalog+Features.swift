import DeepLinkCore

extension GeneratedCatalog {
    /// Catalogs in which some routes inherit values; half of them have grants.
    package static var withInheritance: [GeneratedCatalog] { get async { await inheritanceGeneration.value } }

    private static let inheritanceGeneration = Task {
        var all: [GeneratedCatalog] = []
        for generated in await all.prefix(Effort.part(of: 4000)) + withGrants {
            await Task.yield()
            var generator = SeededGenerator(seed: generated.seed &* 5)
            let definition = generated.definition.inheriting(using: &generator)
            guard definition.inherits, let catalog = try? RouteCatalog(definition) else { continue }
            all.append(GeneratedCatalog(seed: generated.seed, definition: definition, catalog: catalog))
        }
        return all
    }

    /// Catalogs with grants whose gates lead to all kinds of places, most of them over what an app shows; in some, routes
    /// inherit values.
    package static var withGateLayers: [GeneratedCatalog] { get async { await layerGeneration.value } }

    private static let layerGeneration = Task {
        var all: [GeneratedCatalog] = []
        for generated in await withGrants + withInheritance where !generated.catalog.grants.isEmpty {
            await Task.yield()
            var generator = SeededGenerator(seed: generated.seed &* 7)
            var definition = generated.definition.requiringLess
            guard let places = try? RouteCatalog(definition).gatePlaces(seed: generated.seed), !places.isEmpty else {
                continue
            }
            definition.gates = definition.gates.map { gate in
                GateDefinition(
                    gives: gate.gives,
                    path: Located(generator.pick(places), at: CatalogGenerator.location),
                    over: generator.oneIn(8)
                        ? nil : Located(generator.pick(layerPresentations), at: CatalogGenerator.location)
                )
            }
            // Some places have values that they would lack over others.
            guard let catalog = try? RouteCatalog(definition) else { continue }
            all.append(GeneratedCatalog(seed: generated.seed, definition: definition, catalog: catalog))
        }
        return all
    }

    /// The presentations of gates over what is shown: some are also those of declared edges.
    private static let layerPresentations = ["sheet", "fullScreenCover", "custom:drawer"]
        .compactMap(Presentation.init(name:))
}

extension RouteCatalog {
    /// Returns the canonical links that every user may open; if some lead to layers of several destinations, those alone.
    fileprivate func gatePlaces(seed: UInt64) -> [String] {
        var generator = LinkGenerator(seed: seed, in: self)
        let places = (0..<100)
            .compactMap { _ -> (link: String, isDeep: Bool)? in
                guard let link = try? DeepLink(generator.link(), rootless: .all),
                    case .plan(let plan) = resolve(ResolutionRequest(link: link), permissions: .none, catalog: self),
                    let canonical = plan.canonicalLink
                else { return nil }
                return (canonical, plan.stack.last?.presentation == .push)
            }
        let deep = places.filter(\.isDeep)
        return (deep.isEmpty ? places : deep).map(\.link)
    }
}
