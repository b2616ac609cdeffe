import DeepLinkComparison
import DeepLinkCore
import Testing
import WaymarkTestSupport

/// Checks that findings about access agree with the answers for the users of every level, and for those who have all
/// grants but one, for generated catalogs with levels of their own and grants that then change; a failure names its seed.
@Suite struct AccessFindingLawTests {
    private static let count = Effort.part(of: 2000)

    /// A user's permissions in both catalogs.
    private struct User {
        let old: Permissions
        let new: Permissions
    }

    /// Two catalogs, and links of both.
    private struct Change {
        let old: RouteCatalog
        let new: RouteCatalog
        let links: [DeepLink]

        init?(_ generated: GeneratedCatalog) {
            var random = SeededGenerator(seed: generated.seed)
            // Some catalogs have no grants.
            let grants = Int(generated.seed % 4)
            guard let draft = AccessDraft(generated.catalog, grants: grants, &random), let old = draft.load() else {
                return nil
            }
            var edited = draft
            for _ in 0..<Int.random(in: 0...2, using: &random) { edited.edit(&random) }
            edited.changeRequirements(&random)
            guard let new = edited.load() else { return nil }
            (self.old, self.new) = (old, new)
            links = generated.links(12)
        }

        func plan(_ link: DeepLink, _ catalog: RouteCatalog, _ permissions: Permissions = .all) -> RoutePlan? {
            let request = ResolutionRequest(link: link)
            guard case .plan(let plan) = resolve(request, permissions: permissions, catalog: catalog) else {
                return nil
            }
            return plan
        }

        /// The users with each level of the former catalog and all grants, as stores give them their levels.
        var users: [User] {
            old.levels.names.map { name in
                User(
                    old: Permissions(level: old.levels.level(stored: name) ?? .lowest, grants: .all),
                    new: Permissions(level: new.levels.level(stored: name) ?? .lowest, grants: .all)
                )
            }
        }

        /// The users who have the levels of each pair, those with new levels too.
        var pairs: [User] {
            old.levels.pairs(with: new.levels)
                .map {
                    User(old: Permissions(level: $0.old, grants: .all), new: Permissions(level: $0.new, grants: .all))
                }
        }

        /// The users with the highest levels who have all stored names of grants but one.
        var usersWithoutOne: [User] {
            let renamed = new.grants.formerNames.map { new.grants.names[Int($0.grant.place)] }
            let names =
                old.grants.names
                + new.grants.names.filter { name in
                    !old.grants.names.contains(name) && !renamed.contains(name)
                }
            return names.map { missing in
                let held = names.filter { $0 != missing }
                return User(
                    old: Permissions(level: .highest, grants: old.grants.set(held)),
                    new: Permissions(level: .highest, grants: new.grants.set(held))
                )
            }
        }

        /// Returns whether a link opens to some users, and whether it closes to some.
        func shown(by link: DeepLink, for users: [User]) -> (opens: Bool, closes: Bool) {
            var (opens, closes) = (false, false)
            for user in users {
                switch (plan(link, old, user.old), plan(link, new, user.new)) {
                case (nil, _?): opens = true
                case (_?, nil): closes = true
                default: break
                }
            }
            return (opens, closes)
        }

        /// Returns the kinds of change that a link shows.
        func rules(of link: DeepLink) -> Set<ChangeRule> { rules(of: link, levels: users) }

        /// Returns the kinds of change that a link shows, for users of levels.
        func rules(of link: DeepLink, levels users: [User]) -> Set<ChangeRule> {
            let (levels, grants) = (shown(by: link, for: users), shown(by: link, for: usersWithoutOne))
            let shown: [(ChangeRule, Bool)] = [
                (.levelLowered, levels.opens), (.levelRaised, levels.closes),
                (.requirementLowered, grants.opens), (.requirementRaised, grants.closes),
            ]
            return Set(shown.filter(\.1).map(\.0))
        }
    }

    private static let rules: Set<ChangeRule> = [.levelLowered, .levelRaised, .requirementLowered, .requirementRaised]

    @Test func `findings about access are what users with every level, and with all grants but one, meet`() async throws
    {
        var (changed, told, shown) = (0, [ChangeRule: Int](), 0)
        for generated in GeneratedCatalog.withOwnLevels(Self.count) {
            await Task.yield()
            guard let change = Change(generated) else { continue }
            changed += 1
            let report = try CatalogComparison(from: change.old, to: change.new).report()
            let findings = report.findings.filter { Self.rules.contains($0.rule) }
            for finding in findings { told[finding.rule, default: 0] += 1 }
            let witnesses = report.findings.compactMap { finding in
                finding.witness.flatMap { try? DeepLink($0, rootless: .all) }
            }
            for link in Set(change.links + witnesses) {
                guard let before = change.plan(link, change.old), let after = change.plan(link, change.new),
                    before.stack == after.stack
                else { continue }
                let rules = change.rules(of: link)
                shown += rules.count
                let routes = Set(before.stack.map(\.route.bytewise))
                for rule in rules {
                    let isTold = findings.contains { finding in
                        // The redirect whose requirement a link meets is not in the stack.
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
                // A route whose links differ is compared by the least that they require, which no one link shows.
                guard change.plan(link, change.old)?.stack == change.plan(link, change.new)?.stack else { continue }
                let rules = change.rules(of: link, levels: change.pairs)
                #expect(rules.contains(finding.rule), "seed \(generated.seed): \(finding.message) at \(text)")
            }
        }
        #expect(changed > Self.count / 3, "\(changed)")
        #expect(Self.rules.allSatisfy { told[$0, default: 0] > Self.count / 20 }, "\(told)")
        #expect(shown > Self.count / 4, "\(shown)")
    }
}
