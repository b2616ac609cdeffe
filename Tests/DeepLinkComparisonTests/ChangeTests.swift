import DeepLinkComparison
import DeepLinkCore
import Testing

@Suite
struct `Changes and their consequences` {
    private static let old = """
        version: 1
        origins:
          - { scheme: shop, hosts: [shop.example] }
        gates: { signedInUser: /login, premiumUser: /login }
        entry: { home: root, login: root }
        routes:
          home:
            opens:
              item: push
              orders: push
              sale: { presentation: push, path: sale }
          login: {}
          item:
            path: "item/{id}"
            aliases: ["i/{id}"]
            parameters:
              id: int
              sort: { type: enum, values: [price, name] }
            opens: { review: sheet }
          review: { path: review }
          orders:
            description: The orders.
            authorizationLevel: signedInUser
          sale: { path: offers }

        """

    private func report(_ edits: (String, String)...) throws -> ComparisonReport {
        let new = edits.reduce(Self.old) { $0.replacing($1.0, with: $1.1) }
        #expect(new != Self.old)
        return try `Rules of a comparison`.compare(Self.old, new)
    }

    /// Returns the number of the line that a text has, or else of the first one that begins so.
    private func line(_ start: String, in text: String = old) throws -> Int {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.drop { $0 == " " } }
        return try #require(lines.firstIndex { $0 == start } ?? lines.firstIndex { $0.hasPrefix(start) }) + 1
    }

    @Test(arguments: [
        ("path: \"item/{id}\"", "path: \"product/{id}\"", ChangeRule.pathChanged, "path: \"", "path: \""),
        ("path: \"item/{id}\"", "path: \"product/{id}\"", .linkDies, "path: \"", "path: \""),
        ("path: \"item/{id}\"", "path: \"product/{id}\"", .linkRevives, "path: \"", "path: \""),
        ("path: \"item/{id}\"", "path: \"product/{id}\"", .linkProblemChanged, "path: \"", "path: \""),
        ("path: sale }", "path: discounts }", .pathChanged, "sale: { pres", "sale: { pres"),
        ("    aliases: [\"i/{id}\"]\n", "", .aliasRemoved, "aliases", "item:"),
        ("values: [price, name]", "values: [price]", .parameterNarrowed, "sort", "sort"),
        ("values: [price, name]", "values: [price]", .linkDies, "sort", "sort"),
        ("authorizationLevel: signedInUser", "authorizationLevel: premiumUser", .levelRaised, "auth", "auth"),
        ("    authorizationLevel: signedInUser\n", "", .levelLowered, "auth", "orders:"),
        ("description: The orders.", "description: All orders.", .descriptionChanged, "desc", "desc"),
        ("      orders: push\n", "      orders: sheet\n", .presentationChanged, "orders: push", "orders: sheet"),
        (
            "{ review: sheet }", "{ review: { presentation: sheet, linkable: false } }", .linkDies, "opens: {",
            "opens: {"
        ),
        ("      orders: push\n", "", .linkDies, "orders: push", "opens:"),
        ("signedInUser: /login", "signedInUser: /home", .gateChanged, "gates", "gates"),
        ("hosts: [shop.example]", "hosts: [store.example]", .hostRemoved, "- { scheme", "- { scheme"),
    ])
    func `a finding is placed at the line that was changed`(
        _ text: String,
        _ replacement: String,
        _ rule: ChangeRule,
        _ before: String,
        _ after: String
    ) throws {
        let new = Self.old.replacing(text, with: replacement)
            .replacing("entry: { home: root, login: root }", with: "entry: { home: root, login: root, orders: root }")
        let old = Self.old
            .replacing("entry: { home: root, login: root }", with: "entry: { home: root, login: root, orders: root }")
        let report = try `Rules of a comparison`.compare(old, new)
        let finding = try #require(report.findings.first { $0.rule == rule }, "\(report.lines)")
        #expect(finding.oldLocation?.file == "old.yaml" && finding.newLocation?.file == "new.yaml")
        #expect(finding.oldLocation?.line == (try line(before)), "\(finding.message)")
        #expect(finding.newLocation?.line == (try line(after, in: new)), "\(finding.message)")
    }

    @Test
    func `every finding has a line of the new catalog`() throws {
        for example in RuleExample.all {
            let new = try #require(example.applied(to: example.base))
            for finding in try `Rules of a comparison`.compare(example.base, new).findings {
                #expect(finding.newLocation?.file == "new.yaml", "\(example.rule.rawValue): \(finding.message)")
            }
        }
    }

    @Test
    func `a renamed path is one change, with what its links do below it`() throws {
        let report = try report(("item/{id}", "product/{id}"))
        let change = try #require(report.changes.first)
        #expect(report.changes.count == 1, "\(report.lines)")
        #expect(change.findings.map(\.rule) == [.pathChanged])
        #expect(change.severity == .breaking)
        let consequences = change.consequences.map { ($0.findings[0].rule, $0.findings.count) }
        // The item and the review over it.
        #expect(consequences.contains { $0 == (.linkDies, 2) }, "\(consequences)")
        #expect(consequences.contains { $0.0 == .linkRevives })
        #expect(report.summary.hasPrefix("1 break, 0 risk, 0 info"), "\(report.summary)")
        let lines = report.lines
        #expect(lines.filter { !$0.hasPrefix(" ") }.count == 3, "\(lines)")
        let below = "    break: links to `home > item` die: no-matching-route; the same for `item > review` [link-dies]"
        #expect(lines.contains(below), "\(lines)")
        #expect(report.workflowCommands.filter { $0.hasPrefix("::error ") }.count == 1)
        #expect(report.workflowCommands[0].hasPrefix("::error file=new.yaml,line=14,col=5,title=path-changed::"))
        #expect(report.workflowCommands[0].contains("link-dies"))
        #expect(report.junit(failingOn: .breaking).contains("tests=\"1\" failures=\"1\""))
        // Programs get each finding, with the number of its change.
        #expect(report.findings.count == 1 + change.consequences.reduce(0) { $0 + $1.findings.count })
        #expect(report.findings.allSatisfy { $0.changeNumber == 1 && $0.isConsequence == ($0.rule != .pathChanged) })
    }

    @Test
    func `a route that goes is one change, with its edges and links below it`() throws {
        let report = try report(
            ("      sale: { presentation: push, path: sale }\n", ""),
            ("  sale: { path: offers }\n", "")
        )
        #expect(report.changes.map { $0.findings.map(\.rule) } == [[.routeRemoved]], "\(report.lines)")
        let below = Set(report.changes[0].consequences.flatMap(\.findings).map(\.rule))
        #expect(below.isSuperset(of: [.edgeRemoved, .linkDies]), "\(below)")
        #expect(report.lines[1] == "break: the route `sale` is gone [route-removed]")
    }

    @Test
    func `changes of several lines are told apart`() throws {
        let report = try report(
            ("item/{id}", "product/{id}"),
            ("values: [price, name]", "values: [price, name, date]"),
            ("    authorizationLevel: signedInUser\n", ""),
            ("path: sale }", "path: discounts }")
        )
        let told = report.changes.map { $0.findings.map(\.rule) }
        #expect(told == [[.levelLowered], [.pathChanged], [.pathChanged], [.parameterWidened]], "\(report.lines)")
        #expect(report.changes.map(\.severity) == [.risk, .breaking, .breaking, .risk])
    }

    @Test
    func `many alike edges are one line`() throws {
        let names = (0..<30).map { "r\($0)" }
        func catalog(_ opens: (String) -> [String]) -> String {
            let routes = names.map { name in
                let edges = opens(name).map { "\($0): { presentation: push, linkable: false }" }
                return "  \(name): { opens: { \(edges.joined(separator: ", ")) } }\n"
            }
            let entry = names.map { "\($0): root" }.joined(separator: ", ")
            let base = "  base: { opens: { r0: push } }\n"
            return "version: 1\norigins: [{ scheme: a }]\nentry: { base: root, \(entry) }\nroutes:\n" + base
                + routes.joined()
        }
        let report = try `Rules of a comparison`.compare(
            catalog { _ in [] }.replacing("{ opens: {  } }", with: "{}"),
            catalog { _ in names }
        )
        #expect(report.findings.count == 900)
        #expect(report.findings.allSatisfy { $0.rule == .edgeAdded && $0.changeNumber == 1 && !$0.isConsequence })
        let line =
            "info: `r0 > r0` is new: push; the same for `r1 > r0`, `r2 > r0`, `r3 > r0` and 896 more [edge-added]"
        #expect(report.lines.contains(line), "\(report.lines.prefix(4))")
        #expect(report.lines.count < 8)
        #expect(report.markdown.count { $0.contains("edge-added") } == 1)
    }

    @Test
    func `Markdown has no backslash in code, and each link once`() throws {
        let report = try report(("item/{id}", "product/{id}"), ("    authorizationLevel: signedInUser\n", ""))
        let text = report.markdown.joined(separator: "\n")
        for (place, part) in text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        where place % 2 == 1 {
            #expect(!part.contains("\\"), "\(part)")
        }
        #expect(text.contains("`home > orders`"))
        for link in ["``shop://shop.example/home/orders``", "``shop://shop.example/home/item/1``"] {
            #expect(text.ranges(of: link).count == 1, "\(text)")
        }
        let lowered = try #require(report.findings.first { $0.rule == .levelLowered })
        #expect(Set(lowered.links).count == lowered.links.count)
    }

    @Test
    func `a change is accepted with all that it breaks`() throws {
        let new = Self.old.replacing("item/{id}", with: "product/{id}")
        let found = try `Rules of a comparison`.compare(Self.old, new).findings
        func report(accepting findings: [Finding]) throws -> ComparisonReport {
            try `Rules of a comparison`.comparison(Self.old, new)
                .report(
                    accepting: findings.map {
                        AcceptedChange(identity: $0.identity, reason: "meant", until: "2027-01-31", line: 1)
                    },
                    today: "2027-01-31"
                )
        }
        let part = try report(accepting: found.filter { $0.rule == .pathChanged })
        #expect(part.worst == .breaking)
        #expect(part.changes[0].severity == .breaking && !part.changes[0].isAccepted)
        #expect(part.junit(failingOn: .breaking).contains("failures=\"1\""))
        let whole = try report(accepting: found.filter { $0.severity > .info })
        #expect(whole.worst == .info)
        #expect(whole.changes[0].isAccepted)
        #expect(whole.lines.contains { $0.hasPrefix("break (accepted): `item` was") })
        #expect(whole.workflowCommands[0].hasPrefix("::notice "))
    }
}
