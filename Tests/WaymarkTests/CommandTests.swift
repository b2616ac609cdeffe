import DeepLinkCore
import Foundation
import Testing
import WaymarkTestSupport

@Suite struct CommandTests {
    @Test(arguments: [
        (["resolve", "navigation:/onboarding"], 0),
        (["resolve", "navigation:/settings"], 1),
        (["resolve", "navigation:/settings", "--level", "signedInUser"], 0),
        (["resolve", "navigation:/nowhere"], 1),
        (["resolve", "nav ig:/x"], 65),
        (["resolve", "navigation:/settings", "--level", "king"], 64),
        (["resolve", "navigation:/settings", "--level", "none", "--user", "a"], 64),
        (["resolve", "navigation:/settings", "--user", "a", "--database", "/nonexistent/x.sqlite"], 69),
        (["resolve", "navigation:/settings", "--catalog", "nowhere.yaml"], 69),
        (["catalog", "check"], 0),
        (["catalog", "show"], 0),
        (["catalog", "check", "nowhere.yaml"], 69),
        (["user", "get", "a", "--database", "/nonexistent/x.sqlite"], 69),
        (["catalog", "check", "Config"], 69),
        (["serve", "--host", "nosuch.invalid", "--insecure-no-auth", "--port", "0"], 69),
        (["serve", "--port", "70000"], 64),
        (["serve", "--config", "nowhere.yaml"], 64),
        (["dance"], 64),
        (["--help"], 0),
    ])
    func `exit codes tell what happened`(_ arguments: [String], _ code: Int) async throws {
        let outcome = try await Waymark.run(arguments)
        #expect(Int(outcome.code) == code, "\(outcome.errors)")
        #expect(code == 0 || !outcome.errors.isEmpty)
    }

    @Test func `a plan is printed for people and for programs`() async throws {
        let arguments = ["resolve", "navigation://loremipsum.com/characters/character/1?x=y", "--level", "premiumUser"]
        let text = try await Waymark.run(arguments)
        #expect(
            text.output == """
                link      navigation://loremipsum.com/characters/character/1
                level     signedInUser required, premiumUser given
                stack     tabBar      root
                          characters  tab
                          character   push  id=1
                unused    x=y

                """
        )
        let json = try await Waymark.run(arguments + ["--format", "json"])
        #expect(try CanonicalJSON.member("unusedQuery", of: Array(json.output.utf8)) == "[[\"x\",\"y\"]]")
    }

    @Test func `a refusal goes to standard error, as JSON to standard output`() async throws {
        let arguments = ["resolve", "navigation:/settings"]
        let text = try await Waymark.run(arguments)
        #expect(text.output.isEmpty)
        let refusal = "waymark: The destination characters requires the level signedInUser; the user has none."
        #expect(
            text.errors == refusal + " The way there is navigation:///onboarding, which gives onboardingCompleted.\n"
        )
        let json = try await Waymark.run(arguments + ["--format", "json"])
        #expect(json.errors.isEmpty)
        #expect(try CanonicalJSON.member("status", of: Array(json.output.utf8)) == "403")
    }

    @Test func `users are set, shown, listed and deleted`() async throws {
        try await TemporaryFolder.with { folder in
            let database = ["--database", folder + "/states.sqlite"]
            func user(_ arguments: String...) async throws -> Waymark.Outcome {
                try await Waymark.run(["user"] + arguments + database)
            }
            let refused = try await user("set", "b", "premiumUser")
            #expect(refused.code == 69 && refused.errors.contains("--create"))
            #expect(refused.errors.contains("the database \(folder)/states.sqlite does not exist"))
            #expect(!FileManager.default.fileExists(atPath: folder + "/states.sqlite"))
            let made = try await user("set", "b", "premiumUser", "--valid-until", "2020-01-01T00:00:00Z", "--create")
            #expect(made.code == 0 && made.errors == "waymark: new database \(folder)/states.sqlite\n")
            let set = try await user("set", "a", "signedInUser", "--format", "json")
            #expect(set.output.contains("\"version\":1"))
            #expect(set.errors == "waymark: database \(folder)/states.sqlite\n")
            #expect(try await user("get", "b").output.hasPrefix("b  signedInUser  version 1"))
            #expect(try await user("list", "--format", "json").output.split(separator: "\n").count == 2)
            #expect(try await user("delete", "a").code == 0)
            #expect(try await user("delete", "a").code == 1)
            #expect(try await user("get", "a").code == 1)
            #expect(try await user("set", "a", "none", "--level-after", "premiumUser").code == 64)
            #expect(try await user("set", "a", "none", "--valid-until", "soon").code == 64)
        }
    }

    @Test func `users are exported and imported, all or none`() async throws {
        try await TemporaryFolder.with { folder in
            func user(_ arguments: String..., from name: String = "a", input: String = "") async throws
                -> Waymark.Outcome
            {
                try await Waymark.run(
                    ["user"] + arguments + ["--database", folder + "/\(name).sqlite"],
                    in: folder,
                    input: input
                )
            }
            let first = try await user("set", "a", "premiumUser", "--valid-until", "2020-01-01T00:00:00Z", "--create")
            #expect(first.code == 0)
            #expect(try await user("set", "b \"é\"", "signedInUser").code == 0)
            let export = try await user("export").output
            #expect(export.split(separator: "\n").count == 2)
            // The stored level is written, not the current one.
            #expect(export.contains("\"authorizationLevel\":\"premiumUser\",\"validUntil\":\"2020-01-01T00:00:00Z\""))
            #expect(try await user("import", "--create", from: "b", input: export).output == "2 users are set\n")
            func unversioned(_ text: String) -> String { text.replacing(/"updatedAt":"[^"]*"/, with: "") }
            #expect(try await unversioned(user("export", from: "b").output) == unversioned(export))
            // A change older than the stored state is ignored.
            let late = #"{"id":"a","authorizationLevel":"none","at":"2020-01-01T00:00:00Z"}"#
            let imported = try await user("import", from: "b", input: late + "\n").output
            #expect(imported == "0 users are set\n1 is left as it is, which is of a later moment\n")
            #expect(try await unversioned(user("export", from: "b").output) == unversioned(export))
            let broken =
                export + "{}\n\n{\"id\":\"c\",\"authorizationLevel\":\"king\"}\n"
                + "{\"id\":\"a\",\"authorizationLevel\":\"none\"}\n"
            let refusal = try await user("import", "-", from: "c", input: broken)
            #expect(refusal.code == 65)
            for line in [
                "standard input:3: The body has no `id`.", "standard input:5: `king` isn't an", "is already in line 1",
            ] { #expect(refusal.errors.contains(line), "\(refusal.errors)") }
            #expect(try await user("export", from: "c").code == 69)
            #expect(try await user("import", "nowhere.ndjson").code == 69)
            let history = try await user("history", "a")
            #expect(history.output.hasPrefix("version 1  premiumUser  valid until 2020-01-01T00:00:00Z  20"))
            #expect(history.output.hasSuffix("command line\n"))
            #expect(
                try await user("history", "a", "--format", "json").output.hasPrefix("{\"history\":[{\"version\":1,")
            )
            #expect(try await user("history", "nobody").code == 1)
            #expect(try await user("delete", "a", "--erase-history").code == 0)
            #expect(try await user("history", "a").code == 1)
            #expect(try await user("set", "a", "none").output.contains("version 2"))
        }
    }

    @Test func `settings come from flags, then the environment, then the file`() async throws {
        try await TemporaryFolder.with { folder in
            let file = folder + "/service.yaml"
            try "http: { port: 1 }\ncatalog: from-file.yaml\n".write(toFile: file, atomically: true, encoding: .utf8)
            func catalog(_ arguments: [String], _ environment: [String: String]) async throws -> String {
                try await Waymark.run(["catalog", "check", "--config", file] + arguments, environment: environment)
                    .errors
            }
            #expect(try await catalog([], [:]).contains("from-file.yaml"))
            #expect(try await catalog([], ["WAYMARK_CATALOG": "from-env.yaml"]).contains("from-env.yaml"))
            let both = try await catalog(["--catalog", "from-flag.yaml"], ["WAYMARK_CATALOG": "from-env.yaml"])
            #expect(both.contains("from-flag.yaml"))
        }
    }

    @Test(arguments: [
        ("http: { prot: 1 }", "`http.prot` in"), ("http: { prot: 1 }", "did you mean `http.port`?"),
        ("[1]", "isn't a mapping"), ("a: [", "is not YAML"), ("http: {}\ncatalogue: x", "`catalogue` in"),
    ])
    func `a settings file with a mistake says where`(_ text: String, _ message: String) async throws {
        try await TemporaryFolder.with { folder in
            let file = folder + "/service.yaml"
            try text.write(toFile: file, atomically: true, encoding: .utf8)
            let outcome = try await Waymark.run(["catalog", "check", "--config", file])
            #expect(outcome.code == 64)
            #expect(outcome.errors.contains(message), "\(outcome.errors)")
        }
    }

    @Test(arguments: [
        ("WAYMARK_HTTP_PORT", "eighty", "http.port is `eighty`; set a port from 0 to 65535 by --port, "),
        (
            "WAYMARK_CACHE_MAXIMUM_USERS", "10000001",
            "cache.maximumUsers is `10000001`; set a number from 0 to 10000000 by --maximum-cached-users, "
        ),
    ])
    func `a setting that makes no sense is named, with the ways to set it`(
        _ variable: String,
        _ value: String,
        _ message: String
    ) async throws {
        let outcome = try await Waymark.run(["catalog", "check"], environment: [variable: value])
        #expect(outcome.code == 64)
        #expect(outcome.errors.contains(message + variable), "\(outcome.errors)")
    }

    @Test func `the tree shows every route of the sample app`() async throws {
        let tree = try await Waymark.run(["catalog", "show"]).output
        for route in try SampleApp.catalog().routes { #expect(tree.contains(route.name)) }
        #expect(tree.contains("character ↺"))
        #expect(tree.contains("?sheet"))
        let json = try await Waymark.run(["catalog", "show", "--format", "json"]).output
        #expect(try CanonicalJSON.member("routes", of: Array(json.utf8)) != nil)
    }

    @Test func `screens that open each other are drawn once, below what links open`() async throws {
        let names = (0..<40).map { "screen\($0)" }
        let edges = names.map { "\($0): { presentation: push, linkable: false }" }.joined(separator: ", ")
        let catalog =
            "version: 1\norigins: [{ scheme: app }]\nentry: { home: root }\nroutes:\n  home: { opens: { "
            + names.map { "\($0): push" }.joined(separator: ", ") + " } }\n"
            + names.map { "  \($0): { opens: { \(edges) } }\n" }.joined()
        try await TemporaryFolder.with { folder in
            try catalog.write(toFile: folder + "/app.yaml", atomically: true, encoding: .utf8)
            let lines = try await Waymark.run(["catalog", "show", folder + "/app.yaml"]).output.split(separator: "\n")
            // The origins, home, and of each screen itself and those that it opens.
            #expect(lines.count == 2 + 2 * names.count)
            for name in names {
                #expect(lines.contains { $0.contains("─ \(name) ") && $0.hasSuffix("/\(name)") }, "\(name)")
            }
            #expect(lines.contains { $0.contains("└─ screen0, screen1, screen2 and 37 more ↺") })
        }
    }

    @Test func `a group is drawn once, and named at the routes that have it`() async throws {
        try await TemporaryFolder.with { folder in
            let text = CommonScreens.text(inGroup: true)
            try text.write(toFile: folder + "/app.yaml", atomically: true, encoding: .utf8)
            let lines = try await Waymark.run(["catalog", "show", folder + "/app.yaml"]).output.split(separator: "\n")
            // The origins, the tabs with what opens them, and the group with its screens.
            #expect(lines.count == 3 + CommonScreens.tabCount + CommonScreens.count)
            #expect(lines.count <= 120)
            #expect(lines.contains("group common"))
            #expect(lines.count { $0.contains("─ tab") && $0.contains(" + common ") } == CommonScreens.tabCount)
            #expect(lines.count { $0.contains("─ screen") && $0.contains(" + common ") } == CommonScreens.count)
            let dot = try await Waymark.run(["catalog", "show", folder + "/app.yaml", "--format", "dot"]).output
            let arrows = dot.split(separator: "\n").filter { $0.contains(" -> ") }
            // From `entry`, to the tabs, to the group from each route with it, and from the group.
            #expect(arrows.count == 1 + 2 * CommonScreens.tabCount + 2 * CommonScreens.count)
            #expect(dot.contains("  \"group common\" [label=\"common\", shape=folder];\n"))
        }
    }

    @Test func `Graphviz draws every edge of every catalog`() async throws {
        for name in Example.names {
            let file = Checkout.path("Config/examples/\(name).yaml")
            let catalog = try Example.catalog(name)
            let dot = try await Waymark.run(["catalog", "show", file, "--format", "dot"]).output
            #expect(dot.hasPrefix("digraph catalog {\n"))
            #expect(dot.hasSuffix("}\n"))
            let count = catalog.declaredEdges.count + catalog.routes.reduce(0) { $0 + $1.groups.count }
            #expect(dot.split(separator: "\n").count { $0.contains(" -> ") } == count)
        }
    }

    @Test func `a link that continues is resolved from what the app shows`() async throws {
        let level = ["--level", "premiumUser"]
        let arguments = ["resolve", "character/2?sheet=x", "--mode", "append"] + level
        let text = try await Waymark.run(arguments + ["--from", "navigation:/characters/character/1"])
        #expect(text.output.hasPrefix("link      navigation:///characters/character/1/character/2?sheet=x\n"))
        #expect(text.output.hasSuffix("change    keep 3, dismiss 0, present 2\n"))
        let stack = #"[{"route":"tabBar","presentation":"root"},{"route":"characters","presentation":"tab"}]"#
        let json = try await Waymark.run(arguments + ["--from", stack, "--format", "json"])
        #expect(try CanonicalJSON.member("transition", of: Array(json.output.utf8))?.contains("\"keep\":2") == true)
        #expect(try await Waymark.run(arguments + ["--from", "[7]"]).code == 65)
        #expect(try await Waymark.run(arguments + ["--from", "no link"]).code == 65)
        #expect(try await Waymark.run(arguments + ["--from", "navigation:/nowhere"]).code == 1)
        #expect(try await Waymark.run(["resolve", "character/2"] + level).code == 65)
        let part = try await Waymark.run(["resolve", "navigation:/episodes/x/y", "--partial"] + level)
        #expect(part.output.contains("not found x/y\n"))
    }

    @Test func `an explanation points at the place of the link`() async throws {
        let outcome = try await Waymark.run(["resolve", "navigation:/characters/character/%C3%A9/x", "--explain"])
        #expect(outcome.code == 1)
        let lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
        let link = try #require(lines.firstIndex { $0.hasSuffix("/character/%C3%A9/x") })
        let caret = lines[link + 1]
        #expect(caret.hasSuffix("^~~~~~"))
        let column = try #require(caret.firstIndex(of: "^"))
        let offset = caret.distance(from: caret.startIndex, to: column)
        #expect(lines[link].dropFirst(offset).hasPrefix("%C3%A9"))
        #expect(lines[link - 1].contains("`é` does not fit the parameter `id`; expected a whole number."))
    }
}
