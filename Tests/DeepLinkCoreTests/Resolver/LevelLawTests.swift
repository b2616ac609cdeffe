import DeepLinkCatalog
import DeepLinkCore
import DeepLinkFormats
import Testing
import WaymarkTestSupport

/// Checks what must hold for the levels of every catalog, on generated ones; a failure names its seed.
@Suite struct LevelLawTests {
    private static let count = Effort.part(of: 4000)

    private func answer(_ link: DeepLink, _ catalog: RouteCatalog, _ level: AuthorizationLevel) -> Resolution {
        resolve(ResolutionRequest(link: link), userLevel: level, catalog: catalog)
    }

    /// Returns the bytes of an answer.
    private func json(_ resolution: Resolution) -> [UInt8] {
        do throws(Problem) {
            return PlanBody(try resolution.plan()).json
        } catch {
            return error.json
        }
    }

    @Test func `a catalog without levels answers as one with the standard ladder written out`() async throws {
        var granted = 0
        for generated in await GeneratedCatalog.all {
            await Task.yield()
            var definition = generated.definition
            definition.levels = LevelLadder(LevelLadder.standard.names)
            let written = try RouteCatalog(definition)
            for link in generated.links(2) {
                for level in LevelLadder.standard.all {
                    let former = json(answer(link, generated.catalog, level))
                    #expect(former == json(answer(link, written, level)), "seed \(generated.seed): \(link.text)")
                    granted += 1
                }
            }
        }
        #expect(granted > Effort.part(of: 10_000), "\(granted)")
    }

    @Test func `more of a level never takes a link away, and gates lead to it in as many steps as there are levels`()
        async
    {
        var (granted, walked) = (0, 0)
        for generated in GeneratedCatalog.withOwnLevels(Self.count) {
            await Task.yield()
            let levels = generated.catalog.levels
            for link in generated.links(2) {
                var wasGranted = false
                for level in levels.all {
                    let isGranted = if case .plan = answer(link, generated.catalog, level) { true } else { false }
                    #expect(isGranted || !wasGranted, "seed \(generated.seed): \(link.text) at \(level.rank)")
                    wasGranted = isGranted
                    granted += isGranted ? 1 : 0
                }
                var (level, steps) = (AuthorizationLevel.lowest, 0)
                while case .denial(let denial) = answer(link, generated.catalog, level), let given = denial.gate?.level
                {
                    #expect(given > level && given <= denial.requiredLevel, "seed \(generated.seed)")
                    (level, steps) = (given, steps + 1)
                    guard steps < levels.all.count else { break }
                }
                #expect(steps < levels.all.count, "seed \(generated.seed): \(link.text)")
                walked += steps
            }
        }
        #expect(granted > Self.count && walked > Self.count, "\(granted), \(walked)")
    }

    @Test func `requirements join in any order, and once is as good as twice`() {
        for one in 0..<32 {
            for other in 0..<32 {
                let (left, right) = (requirements(one), requirements(other))
                #expect(left.merged(with: right) == right.merged(with: left))
                #expect(left.merged(with: left) == left)
                for third in [0, 7, 15, 31].map(requirements) {
                    #expect(
                        left.merged(with: right).merged(with: third) == left.merged(with: right.merged(with: third))
                    )
                }
            }
        }
    }

    private func requirements(_ rank: Int) -> Requirements {
        Requirements(
            authorizationLevel: AuthorizationLevel(rank: UInt8(rank & 7)),
            grants: GrantSet(rawValue: UInt32(rank >> 2))
        )
    }

    @Test func `a catalog with levels of its own is shown so that it loads again`() throws {
        let text = """
            version: 1
            origins: [{ scheme: club }]
            levels: [guest, { name: member, was: [customer, client] }, owner]
            gates: { member: /login, owner: /login }
            entry: { login: { presentation: root, initial: true, opens: {} }, vault: root }
            routes: { login: {}, vault: { authorizationLevel: client } }
            """
            .replacing(", opens: {}", with: "")
        let catalog = try CatalogLoader.load(Array(text.utf8), file: "own.yaml")
        let shown = CatalogBody(catalog).json
        let again = try CatalogLoader.load(shown, file: "own.json")
        #expect(again.levels == catalog.levels && again.levels.isDeclared)
        #expect(again.gateLinks.map(\.level) == catalog.gateLinks.map(\.level))
        #expect(again.routes.map(\.authorizationLevel) == catalog.routes.map(\.authorizationLevel))
        #expect(String(decoding: shown, as: UTF8.self).contains(#"{"name":"member","was":["customer","client"]}"#))
    }
}
