import DeepLinkCatalog
import DeepLinkCore
import DeepLinkFormats
import Testing
import WaymarkTestSupport

/// Checks what must hold for the grants of every catalog, on generated ones; a failure names its seed.
@Suite struct GrantLawTests {
    private static let count = Effort.part(of: 4000)

    private func answer(_ link: DeepLink, _ catalog: RouteCatalog, _ permissions: Permissions) -> Resolution {
        resolve(ResolutionRequest(link: link), permissions: permissions, catalog: catalog)
    }

    /// Returns the bytes of an answer.
    private func json(_ resolution: Resolution) -> [UInt8] {
        do throws(Problem) {
            return PlanBody(try resolution.plan()).json
        } catch {
            return error.json
        }
    }

    /// Permissions of a catalog: some level, and each grant or not.
    private func permissions(_ catalog: RouteCatalog, _ generator: inout SeededGenerator) -> Permissions {
        let bits = UInt32.random(in: 0 ... .max, using: &generator) | UInt32.random(in: 0 ... .max, using: &generator)
        return Permissions(
            level: generator.pick(catalog.levels.all),
            grants: GrantSet(catalog.grants.all.map { GrantSet($0) }).intersection(GrantSet(rawValue: bits))
        )
    }

    @Test func `more of a level or of grants never takes a link away`() async {
        var (granted, denied) = (0, 0)
        for generated in await GeneratedCatalog.withGrants {
            await Task.yield()
            var generator = SeededGenerator(seed: generated.seed)
            let catalog = generated.catalog
            for link in generated.links(2) {
                let own = permissions(catalog, &generator)
                let more = own.joined(with: permissions(catalog, &generator))
                guard case .plan(let plan) = answer(link, catalog, own) else {
                    denied += 1
                    continue
                }
                granted += 1
                guard case .plan(let other) = answer(link, catalog, more) else {
                    Issue.record("seed \(generated.seed): \(link.text)")
                    continue
                }
                #expect(plan.stack == other.stack && plan.requiredGrants == other.requiredGrants)
            }
        }
        #expect(granted > Self.count / 4 && denied > Self.count / 4, "\(granted), \(denied)")
    }

    @Test func `gates lead on in their order, in as many steps as there are levels and grants`() async {
        var walked: [Bool: Int] = [:]
        for generated in await GeneratedCatalog.withGrants {
            await Task.yield()
            let catalog = generated.catalog
            let order = catalog.gatesInOrder.map(\.gives)
            for link in generated.links(2) {
                var (permissions, last, steps) = (Permissions.none, -1, 0)
                while case .denial(let denial) = answer(link, catalog, permissions) {
                    guard let gate = denial.gate, let place = order.firstIndex(of: gate.gives), place > last else {
                        Issue.record("seed \(generated.seed): \(link.text)")
                        break
                    }
                    #expect(denial.missing.isEmpty == (gate.gives.grant == nil), "seed \(generated.seed)")
                    #expect(gate.gives.grant.map(denial.missing.contains) ?? true, "seed \(generated.seed)")
                    (permissions, last, steps) = (permissions.adding(gate.gives), place, steps + 1)
                    walked[denial.missing.isEmpty, default: 0] += 1
                }
                #expect(steps <= order.count)
                if steps > 0, case .failure = answer(link, catalog, permissions) { Issue.record("\(link.text)") }
            }
        }
        #expect(walked.values.allSatisfy { $0 > Self.count / 2 } && walked.count == 2, "\(walked)")
    }

    @Test func `the order of grants changes no answer`() async throws {
        var compared = 0
        for generated in await GeneratedCatalog.withGrants.prefix(Self.count / 4) {
            await Task.yield()
            let catalog = generated.catalog
            let other: RouteCatalog
            do {
                other = try turned(catalog)
            } catch let error as CatalogError {
                Issue.record("seed \(generated.seed): \(error.issues)")
                continue
            }
            #expect(Set(other.grants.names) == Set(catalog.grants.names))
            var generator = SeededGenerator(seed: generated.seed)
            for link in generated.links(2) {
                let own = permissions(catalog, &generator)
                let same = Permissions(
                    level: own.level,
                    grants: catalog.grants.counterparts(of: own.grants, in: other.grants)
                )
                let (one, two) = (json(answer(link, catalog, own)), json(answer(link, other, same)))
                #expect(one == two, "seed \(generated.seed): \(link.text)")
                compared += own.grants == same.grants ? 0 : 1
            }
        }
        #expect(compared > Self.count / 8, "\(compared)")
    }

    /// The same catalog, whose grants stand in the reverse order, and its gates in theirs.
    private func turned(_ catalog: RouteCatalog) throws -> RouteCatalog {
        let body = CatalogBody(catalog).json
        guard case .object(let members) = try JSONParser.parse(body), case .array(let grants)? = members["grants"]
        else {
            throw CatalogError([])
        }
        var writer = JSONWriter()
        writer.json(.array(grants.reversed()))
        let text = String(decoding: body, as: UTF8.self)
            .replacing(
                /"grants":\[.*?\],"gates":/,
                with: "\"grants\":\(String(decoding: writer.bytes, as: UTF8.self)),\"gates\":",
                maxReplacements: 1
            )
        return try CatalogLoader.load(Array(text.utf8), file: "turned.json", version: catalog.version)
    }

    @Test func `a catalog with grants is shown so that it loads again`() async throws {
        for generated in await GeneratedCatalog.withGrants.prefix(200) {
            let catalog = generated.catalog
            let again = try CatalogLoader.load(CatalogBody(catalog).json, file: "again.json")
            #expect(again.grants == catalog.grants && again.levels == catalog.levels, "seed \(generated.seed)")
            #expect(again.levels.highestFromApp == catalog.levels.highestFromApp)
            #expect(again.gatesInOrder.map(\.gives) == catalog.gatesInOrder.map(\.gives))
            #expect(again.routes.map(\.requirements) == catalog.routes.map(\.requirements))
            #expect(again.edges.map(\.requirements) == catalog.edges.map(\.requirements))
        }
    }

    @Test func `grants that no route needs change no answer`() async throws {
        for generated in await GeneratedCatalog.all.prefix(Self.count) {
            var definition = generated.definition
            definition.grants = GrantList([GrantName("kyc"), GrantName("pro")].compactMap(\.self))
            definition.gates += [GateDefinition(gives: .grant(Grant(place: 1)), path: definition.gates[0].path)]
            let catalog = try RouteCatalog(definition)
            for link in generated.links(1) {
                for level in catalog.levels.all {
                    let own = Permissions(level: level)
                    let former = json(answer(link, generated.catalog, own))
                    #expect(former == json(answer(link, catalog, own)), "seed \(generated.seed): \(link.text)")
                }
            }
        }
    }

    @Test func `an audience is told what its users would be answered`() async throws {
        var outcomes: Set<LinkAudience.Outcome> = []
        for generated in await GeneratedCatalog.withGrants.prefix(Self.count / 4) {
            await Task.yield()
            let catalog = generated.catalog
            var generator = SeededGenerator(seed: generated.seed)
            for link in generated.links(2) {
                let request = ResolutionRequest(link: link)
                guard let audience = try? LinkAudience(of: request, catalog: catalog) else { continue }
                let own = permissions(catalog, &generator)
                let outcome = audience.outcome(for: own)
                outcomes.insert(outcome)
                switch answer(link, catalog, own.joined(with: catalog.allAssertions)) {
                case .plan: #expect(outcome == .reached)
                case .denial(let denial):
                    #expect(outcome == .gated(denial.firstMissing), "seed \(generated.seed): \(link.text)")
                    #expect(audience.gates.contains(denial.firstMissing))
                case .otherApp, .outdated, .failure: Issue.record("seed \(generated.seed): \(link.text)")
                }
            }
        }
        #expect(outcomes.count > 8)
    }
}
