package import DeepLinkCore

/// One catalog that the loader accepts, made from a seed.
package struct GeneratedCatalog: Sendable {
    /// The number of catalogs.
    package static let count = Effort.part(of: 10_000)

    /// The seed that makes it again.
    package let seed: UInt64

    /// The catalog as it would be declared.
    package let definition: CatalogDefinition

    /// The catalog as it answers.
    package let catalog: RouteCatalog

    /// The first catalogs that are accepted; which seeds they come from is the same in every run.
    package static var all: [GeneratedCatalog] { get async { await generation.value } }

    private static let generation = Task {
        var all: [GeneratedCatalog] = []
        var seeds = (Effort.seeds ?? Array(1...UInt64(count) * 100)).makeIterator()
        while all.count < count, let seed = seeds.next() {
            // The servers of other tests share these threads.
            await Task.yield()
            var generator = CatalogGenerator(seed: seed)
            // Unreachable routes do no harm here; every other fault makes the catalog no catalog.
            let definition = reachable(generator.definition())
            guard let catalog = try? RouteCatalog(definition) else { continue }
            all.append(GeneratedCatalog(seed: seed, definition: definition, catalog: catalog))
        }
        return all
    }

    /// The catalogs of some seeds whose levels are a ladder of their own, of two names to sixteen.
    package static func withOwnLevels(_ count: Int) -> [GeneratedCatalog] {
        var all: [GeneratedCatalog] = []
        var seed: UInt64 = 0
        while all.count < count, seed < UInt64(count) * 100 {
            seed += 1
            let names = (0..<(2 + Int(seed % 15))).compactMap { LevelName("level-\($0)") }
            var generator = CatalogGenerator(seed: seed, levels: LevelLadder(names))
            let definition = reachable(generator.definition())
            guard let catalog = try? RouteCatalog(definition) else { continue }
            all.append(GeneratedCatalog(seed: seed, definition: definition, catalog: catalog))
        }
        return all
    }

    /// The first catalogs that are accepted with levels of their own, and with one grant to thirty-two.
    package static var withGrants: [GeneratedCatalog] { get async { await grantGeneration.value } }

    private static let grantGeneration = Task {
        let count = Effort.part(of: 4000)
        var all: [GeneratedCatalog] = []
        var seed: UInt64 = 0
        while all.count < count, seed < UInt64(count) * 100 {
            // The servers of other tests share these threads.
            await Task.yield()
            seed += 1
            let levels = (0..<(2 + Int(seed % 15))).compactMap { LevelName("level-\($0)") }
            let grants = (0..<(1 + Int(seed % 32))).compactMap { GrantName("grant-\($0)") }
            var generator = CatalogGenerator(
                seed: seed,
                levels: LevelLadder(levels, highestFromApp: AuthorizationLevel(rank: UInt8(seed % 2))),
                grants: GrantList(grants, fromApp: seed % 3 == 0 ? GrantSet(Grant(place: 0)) : [])
            )
            var definition = reachable(generator.definition())
            definition.grants = definition.grants.ordered(by: definition.gates.compactMap(\.gives.grant))
            guard let catalog = try? RouteCatalog(definition) else { continue }
            all.append(GeneratedCatalog(seed: seed, definition: definition, catalog: catalog))
        }
        return all
    }

    /// Links that wander through the catalog.
    package func links(_ count: Int) -> [DeepLink] {
        var generator = LinkGenerator(seed: seed, in: catalog)
        return (0..<count).compactMap { _ in try? DeepLink(generator.link(), rootless: .all) }
    }

    /// Leaves out the routes that nothing opens.
    private static func reachable(_ definition: CatalogDefinition) -> CatalogDefinition {
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
}
