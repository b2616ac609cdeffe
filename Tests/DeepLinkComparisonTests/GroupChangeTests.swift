import DeepLinkCatalog
import DeepLinkComparison
import DeepLinkCore
import Testing
import WaymarkTestSupport

@Suite
struct `Changes of groups` {
    private static let old = """
        version: 1
        origins: [{ scheme: app }]
        entry: { tabs: { presentation: root, initial: true } }
        groups:
          common: { post: { presentation: push, path: "post/{id}" }, user: push }
        routes:
          tabs: { path: "", opens: { home: tab, search: tab, inbox: tab } }
          home: { groups: [common] }
          search: { groups: [common] }
          inbox: {}
          post: { parameters: { id: int }, groups: [common] }
          user: { path: "user/{name}", groups: [common] }

        """

    private func report(_ text: String, _ replacement: String, in old: String = old) throws -> ComparisonReport {
        #expect(old.contains(text))
        return try `Rules of a comparison`.compare(old, old.replacing(text, with: replacement))
    }

    /// Returns the messages of findings with a rule.
    private func messages(_ rule: ChangeRule, _ report: ComparisonReport) -> [String] {
        report.findings.filter { $0.rule == rule }.map(\.message)
    }

    @Test
    func `a changed edge of a group is one change`() throws {
        let report = try report("path: \"post/{id}\"", "path: \"p/{id}\"")
        #expect(
            messages(.linkDies, report) == [
                "links to `group common > post` die: no-matching-route",
                "links to `post > user` die: no-matching-route",
            ],
            "\(report.lines)"
        )
        #expect(report.changes.count == 1, "\(report.lines)")
        let finding = try #require(report.findings.first { $0.rule == .linkDies })
        #expect(finding.witness == "app:///home/post/1")
        #expect(finding.newLocation?.line == 5)
    }

    @Test
    func `an edge that a group loses is one change`() throws {
        let old = Self.old.replacing("inbox: {}", with: "inbox: { opens: { user: push } }")
        let report = try report(", user: push }", " }", in: old)
        #expect(messages(.edgeRemoved, report) == ["`group common > user` was push, is gone"], "\(report.lines)")
        #expect(
            messages(.linkDies, report) == [
                "links to `group common > user` die: no-matching-route",
                "links to `user > post` die: no-matching-route",
            ],
            "\(report.lines)"
        )
        #expect(report.changes.count == 1, "\(report.lines)")
        #expect(report.findings.first { $0.rule == .edgeRemoved }?.newLocation?.line == 4)
    }

    @Test
    func `a change of a route that a group opens has one consequence for the group`() throws {
        let report = try report("path: \"user/{name}\"", "path: \"people/{name}\"")
        #expect(
            messages(.linkDies, report) == [
                "links to `group common > user` die: no-matching-route",
                "links to `user > post` die: no-matching-route",
            ],
            "\(report.lines)"
        )
        #expect(report.changes.count == 1, "\(report.lines)")
    }

    @Test
    func `a route that gets a group is one change, of its own edges`() throws {
        let report = try report("inbox: {}", "inbox: { groups: [common] }")
        #expect(
            Set(messages(.linkRevives, report)) == [
                "links to `inbox > post` live: they were no-matching-route",
                "links to `inbox > user` live: they were no-matching-route",
            ],
            "\(report.lines)"
        )
        #expect(report.changes.count == 1, "\(report.lines)")
        #expect(report.findings.allSatisfy { $0.newLocation?.line == 10 }, "\(report.lines)")
    }

    @Test
    func `edges that are moved into a group are no change`() throws {
        let (byHand, grouped) = (
            CommonScreens.text(inGroup: false, screens: 12), CommonScreens.text(inGroup: true, screens: 12)
        )
        #expect(try `Rules of a comparison`.compare(byHand, grouped).findings.isEmpty)
        #expect(try `Rules of a comparison`.compare(grouped, byHand).findings.isEmpty)
    }

    @Test
    func `a change of an edge that many routes have is one change`() throws {
        let report = try `Rules of a comparison`.compare(
            CommonScreens.text(inGroup: true, screens: 12),
            CommonScreens.text(inGroup: true, screens: 12, path: "first/{id}")
        )
        #expect(messages(.linkDies, report).count { $0.contains("`group common > ") } == 1, "\(report.lines)")
        #expect(report.changes.count == 1 && report.lines.count < 20, "\(report.lines)")
    }
}
