import DeepLinkComparison
import DeepLinkCore
import Testing
import WaymarkTestSupport

/// Checks that findings about access agree with the answers for the users of every level, for generated catalogs with
/// levels of their own that then change; a failure names its seed.
@Suite struct LevelFindingLawTests {
    private static let count = Effort.part(of: 2000)

    /// Two catalogs, and links of both.
    private struct Change {
        let old: RouteCatalog
        let new: RouteCatalog
        let links: [DeepLink]

        init?(_ generated: GeneratedCatalog) {
            var random = SeededGenerator(seed: generated.seed)
            guard let draft = LevelDraft(generated.catalog), let old = draft.load(changing: { _ in nil }) else {
                return nil
            }
            var edited = draft
            for _ in 0..<Int.random(in: 0...2, using: &random) { edited.edit(&random) }
            guard let new = edited.load(changing: { random.oneIn(6) ? random.pick($0) : nil }) else { return nil }
            (self.old, self.new) = (old, new)
            links = generated.links(12)
        }

        func plan(_ link: DeepLink, _ catalog: RouteCatalog) -> RoutePlan? {
            admits(link, catalog, .highest)
        }

        func admits(_ link: DeepLink, _ catalog: RouteCatalog, _ level: AuthorizationLevel) -> RoutePlan? {
            guard case .plan(let plan) = resolve(ResolutionRequest(link: link), userLevel: level, catalog: catalog)
            else { return nil }
            return plan
        }

        /// The levels in both catalogs of a user who has each name, as stores give them to users.
        var users: [LevelPair] {
            old.levels.names.map { name in
                LevelPair(
                    old: old.levels.level(stored: name) ?? .lowest,
                    new: new.levels.level(stored: name) ?? .lowest
                )
            }
        }

        /// Returns the kinds of change that a link shows for some users.
        func shown(by link: DeepLink, for users: [LevelPair]) -> Set<ChangeRule> {
            var rules: Set<ChangeRule> = []
            for user in users {
                switch (admits(link, old, user.old), admits(link, new, user.new)) {
                case (nil, _?): rules.insert(.levelLowered)
                case (_?, nil): rules.insert(.levelRaised)
                default: break
                }
            }
            return rules
        }
    }

    @Test func `findings about access are what the users of every level meet`() async throws {
        var (changed, told, shown) = (0, 0, 0)
        for generated in GeneratedCatalog.withOwnLevels(Self.count) {
            await Task.yield()
            guard let change = Change(generated) else { continue }
            changed += 1
            let report = try CatalogComparison(from: change.old, to: change.new).report()
            let findings = report.findings.filter { [.levelRaised, .levelLowered].contains($0.rule) }
            told += findings.count
            let witnesses = report.findings.compactMap { finding in
                finding.witness.flatMap { try? DeepLink($0, rootless: .all) }
            }
            for link in Set(change.links + witnesses) {
                guard let before = change.plan(link, change.old), let after = change.plan(link, change.new),
                    before.stack == after.stack
                else { continue }
                let rules = change.shown(by: link, for: change.users)
                shown += rules.count
                let routes = Set(before.stack.map(\.route.bytewise))
                for rule in rules {
                    let isTold = findings.contains { finding in
                        // The redirect whose level a link passes is not in the stack.
                        let isOfLink =
                            routes.contains(finding.identity.subject.route ?? "") || link.text.contains("to=")
                        return finding.rule == rule && isOfLink
                    }
                    #expect(isTold, "seed \(generated.seed): \(rule.rawValue) at \(link.text)")
                }
            }
            for finding in findings {
                // No link shows the change of an edge that none can reach.
                guard let text = finding.witness else { continue }
                let link = try DeepLink(text, rootless: .all)
                // A route whose links differ is compared by its lowest levels, which no one link shows.
                guard change.plan(link, change.old)?.stack == change.plan(link, change.new)?.stack else { continue }
                let rules = change.shown(by: link, for: change.old.levels.pairs(with: change.new.levels))
                #expect(rules.contains(finding.rule), "seed \(generated.seed): \(finding.message) at \(text)")
            }
        }
        #expect(changed > Self.count / 2, "\(changed)")
        #expect(told > Self.count / 2 && shown > Self.count / 2, "\(told) \(shown)")
    }
}
