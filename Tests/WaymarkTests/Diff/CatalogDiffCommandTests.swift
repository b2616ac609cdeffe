import Foundation
import FoundationXML
import Testing
import WaymarkTestSupport

@Suite
struct CatalogDiffCommandTests {
    private static let old = """
        version: 1
        origins: [{ scheme: shop, hosts: [shop.example] }]
        gates: { signedInUser: /login }
        entry: { home: root, login: root }
        routes:
          home: { opens: { item: push, orders: push } }
          login: {}
          item: { path: "item/{id}", parameters: { id: int } }
          orders: { authorizationLevel: signedInUser }

        """

    private static let new = old.replacing("item/{id}", with: "product/{id}")

    /// Compares two catalogs in a folder of their own, with further files there.
    private func diff(
        _ arguments: String...,
        old: String = old,
        new: String = new,
        files: [String: String] = [:],
        input: String = "",
        _ check: (Waymark.Outcome, _ folder: String) throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            for (name, text) in files.merging(["old.yaml": old, "new.yaml": new], uniquingKeysWith: { one, _ in one }) {
                try text.write(toFile: folder + "/" + name, atomically: true, encoding: .utf8)
            }
            let names = arguments.first == "-" ? ["-", "new.yaml"] : ["old.yaml", "new.yaml"]
            let outcome = try await Waymark.run(
                ["catalog", "diff"] + names + arguments.drop { $0 == "-" },
                in: folder,
                input: input
            )
            try check(outcome, folder)
        }
    }

    @Test
    func `the exit code says whether a finding is as bad as the threshold`() async throws {
        try await diff { outcome, _ in
            #expect(outcome.code == 1)
            #expect(outcome.output.contains("break: `item` was /item/{id}, is /product/{id} [path-changed]"))
            #expect(outcome.output.contains("    link: shop://shop.example/home/item/1"))
        }
        let lowered = Self.old.replacing("orders: { authorizationLevel: signedInUser }", with: "orders: {}")
        try await diff(new: lowered) { outcome, _ in
            #expect(outcome.code == 0)
            #expect(outcome.output.contains("access widens at `orders`"))
        }
        try await diff("--fail-on", "risk", new: lowered) { outcome, _ in #expect(outcome.code == 1) }
        try await diff("--for", "links", "--fail-on", "risk", new: lowered) { outcome, _ in
            #expect(outcome.code == 0)
            #expect(outcome.output.contains("access widens at `orders`"))
        }
        try await diff("--fail-on", "info", new: Self.old) { outcome, _ in #expect(outcome.code == 0) }
    }

    @Test
    func `a comparison that failed is never clean`() async throws {
        try await diff(new: "version: 1\nroutes: [") { outcome, _ in
            #expect(outcome.code == 65)
            #expect(outcome.output.isEmpty)
        }
        try await diff(old: "no catalog") { outcome, _ in #expect(outcome.code == 65) }
        try await diff("--fail-on", "never") { outcome, _ in #expect(outcome.code == 64) }
        try await diff("--links", "nothing.txt") { outcome, _ in #expect(outcome.code == 69) }
        try await diff("--links", "bad.ndjson", files: ["bad.ndjson": "{\"link\":\n"]) { outcome, _ in
            #expect(outcome.code == 65)
            #expect(outcome.errors.contains("bad.ndjson:1"))
        }
    }

    @Test
    func `the old catalog may come from git by a pipe`() async throws {
        try await diff("-", input: Self.old) { outcome, _ in
            #expect(outcome.code == 1)
            #expect(outcome.output.contains("old: standard input:8:11"))
        }
    }

    @Test(arguments: [
        ("links.txt", "# opened\nshop://shop.example/home/item/7 12000\nshop://shop.example/home/item/8\t300\n\n"),
        ("links.ndjson", "{\"link\":\"shop://shop.example/home/item/7\",\"count\":12300}\n{\"time\":\"now\"}\n"),
        ("links.yaml", "- shop://shop.example/home/item/7\n- { link: \"shop://shop.example/home/item/8\" }\n"),
    ])
    func `recorded links are replayed from every kind of file`(_ name: String, _ text: String) async throws {
        try await diff("--links", name, "--format", "json", files: [name: text]) { outcome, _ in
            #expect(outcome.code == 1)
            let links = text.contains("count") ? 1 : 2
            let opens = name == "links.yaml" ? 2 : 12_300
            let summary =
                "\"links\":{\"total\":\(links),\"opens\":\(opens),\"changed\":\(links),\"changedOpens\":\(opens)"
            #expect(outcome.output.contains(summary), "\(outcome.output.prefix(400))")
        }
    }

    @Test
    func `a link that stands in a log many times is one link, opened many times`() async throws {
        let line =
            "{\"time\":\"2026-11-22T10:00:00Z\",\"link\":\"shop://shop.example/home/item/1\",\"outcome\":\"resolved\"}\n"
        let other = line.replacing("item/1", with: "orders")
        let log = String(repeating: line, count: 9000) + other + String(repeating: line, count: 9000)
        try await diff("--links", "log", "--format", "json", files: ["log": log]) { outcome, _ in
            let summary = "\"links\":{\"total\":2,\"opens\":18001,\"changed\":1,\"changedOpens\":18000"
            #expect(outcome.output.contains(summary), "\(outcome.output.prefix(400))")
        }
    }

    @Test(arguments: ["cases.yaml", "list"])
    func `a long file is read in pieces, and a fault is told with its line`(_ name: String) async throws {
        let isYAML = name == "cases.yaml"
        let text = (0..<20_000)
            .map { number in
                let link = "shop://shop.example/home/item/\(number)?from=a-long-campaign-with-a-long-name"
                return isYAML ? "- link: \(link)\n  level: premiumUser\n" : "\(link) 2\n"
            }
            .joined()
        #expect(text.utf8.count > 1 << 20)
        try await diff("--links", name, "--format", "json", files: [name: text]) { outcome, _ in
            let opens = isYAML ? 20_000 : 40_000
            #expect(
                outcome.output.contains("\"links\":{\"total\":20000,\"opens\":\(opens),\"changed\":20000,"),
                "\(outcome.output.prefix(400))"
            )
        }
        let fault = isYAML ? "- { link: \"shop:/home\", lvel: none }\n" : "{\"link\":\n"
        try await diff("--links", name, files: [name: text + fault + text + fault]) { outcome, _ in
            #expect(outcome.code == 65)
            let line = isYAML ? 40_001 : 20_001
            #expect(outcome.errors.contains("\(name):\(line)"), "\(outcome.errors.prefix(400))")
            #expect(outcome.errors.utf8.count < 400)
        }
    }

    @Test
    func `changes that are written down are accepted once they have a reason`() async throws {
        try await diff("--write-accepted") { outcome, folder in
            #expect(outcome.code == 1)
            let file = folder + "/waymark-accepted.yaml"
            let text = try String(contentsOfFile: file, encoding: .utf8)
            #expect(text.contains("- rule: \"path-changed\"\n  route: \"item\"\n"))
            #expect(text.contains("reason: \"\"\n"))
            try text.replacing("reason: \"\"", with: "reason: renamed")
                .write(
                    toFile: file,
                    atomically: true,
                    encoding: .utf8
                )
        }
        let entry = """
            - { rule: path-changed, route: item, old: "/item/{id}", new: "/product/{id}", reason: meant, until: 2999-01-01 }
            - rule: link-dies
              route: item
              edge: home > item
              old: item
              new: no-matching-route
              reason: meant
              until: 2999-01-01

            """
        func accept(_ text: String, _ check: (Waymark.Outcome) throws -> Void) async throws {
            try await diff("--accept", "a.yaml", files: ["a.yaml": text]) { outcome, _ in try check(outcome) }
        }
        try await accept(entry) { outcome in
            #expect(outcome.code == 0)
            #expect(outcome.output.contains("break (accepted): `item` was"))
            #expect(outcome.output.contains("2 accepted"))
        }
        try await accept(entry.replacing("2999", with: "2020")) { outcome in
            #expect(outcome.code == 1)
            #expect(outcome.output.contains("accepted until 2020-01-01 in line 1"))
        }
        try await accept(entry.replacing("/product/{id}", with: "/thing/{id}")) { outcome in
            #expect(outcome.code == 1)
            #expect(outcome.output.contains("accepted in line 1, and not found: path-changed, route item"))
        }
        for text in [
            entry.replacing("reason: meant", with: "reason: \"\""), entry.replacing("until: 2999-01-01", with: ""),
            entry.replacing("rule: link-dies", with: "rule: link-lives"), entry.replacing("edge:", with: "egde:"),
            "rule: link-dies",
        ] {
            try await accept(text) { outcome in
                #expect(outcome.code == 65, "\(text)")
                #expect(outcome.output.isEmpty)
            }
        }
    }

    @Test
    func `CI systems and reviewers get their formats`() async throws {
        try await diff("--format", "junit") { outcome, _ in
            #expect(XMLParser(data: Data(outcome.output.utf8)).parse())
            #expect(outcome.output.contains("tests=\"1\" failures=\"1\""), "\(outcome.output.prefix(300))")
        }
        try await diff("--format", "github") { outcome, _ in
            #expect(outcome.output.hasPrefix("::error file=new.yaml,line=8,col=11,title=path-changed::"))
            #expect(outcome.output.contains("%0Abreak: links to `home > item` die: no-matching-route [link-dies]"))
        }
        try await diff("--format", "markdown") { outcome, _ in
            #expect(outcome.output.contains("| break | `path-changed` |"))
        }
    }
}
