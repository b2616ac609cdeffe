import Foundation
import FoundationXML
import Testing
import WaymarkTestSupport

@Suite struct CheckCommandTests {
    private static let links = """
        # A comment, and a blank line.

        navigation:/onboarding
        navigation:/settings
        navigation:/charcters
        nav igation:/x & <y>

        """

    private func check(_ arguments: String..., file name: String = "links.txt", _ text: String = links) async throws
        -> Waymark.Outcome
    {
        try await TemporaryFolder.with { folder in
            let file = folder + "/" + name
            try text.write(toFile: file, atomically: true, encoding: .utf8)
            let outcome = try await Waymark.run(["check", file] + arguments)
            return Waymark.Outcome(
                code: outcome.code,
                output: outcome.output.replacing(folder + "/", with: ""),
                errors: outcome.errors.replacing(folder + "/", with: "")
            )
        }
    }

    @Test func `a table has a row for each link, and a summary`() async throws {
        let outcome = try await check("--level", "signedInUser")
        #expect(outcome.code == 1)
        #expect(outcome.errors.isEmpty)
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.count == 5)
        #expect(lines[0].hasPrefix("ok    3  navigation:/onboarding"))
        #expect(lines[1].hasSuffix("tabBar › characters › settings"))
        #expect(lines[2].contains("Did you mean navigation:///characters?"))
        #expect(lines[3].contains("malformed-link"))
        #expect(lines[4] == "4 links: 2 passed, 2 failed")
        #expect(try await check().output.hasSuffix("4 links: 1 passed, 3 failed\n"))
    }

    @Test func `a link of no origin and one without a path get the hints that resolve gives`() async throws {
        let catalog = """
            version: 1
            origins: [{ scheme: https, hosts: [shop.example] }]
            entry: { a: root }
            routes: { a: {} }
            """
        let links = "http://shop.example/a\nhttps://www.shop.example/a\nhttps://shop.example/\n"
        let outcome = try await TemporaryFolder.with { folder in
            try catalog.write(toFile: folder + "/shop.yaml", atomically: true, encoding: .utf8)
            try links.write(toFile: folder + "/links.txt", atomically: true, encoding: .utf8)
            return try await Waymark.run(["check", folder + "/links.txt", "--catalog", folder + "/shop.yaml"])
        }
        #expect(outcome.code == 1)
        let lines = outcome.output.split(separator: "\n")
        #expect(lines[0].hasSuffix("path prefix. The schemes are `https`. Did you mean `https`?"), "\(lines[0])")
        #expect(lines[1].hasSuffix("path prefix. The hosts of `https` are `shop.example`."), "\(lines[1])")
        #expect(lines[2].contains("No route answers an empty path. Mark in the catalog's `entry`"), "\(lines[2])")
    }

    @Test(arguments: [
        "id,link\r\n1,navigation:/onboarding\r\n2,\"navigation:/characters/character/1?sheet=a,b\"\r\n,\r\n",
        "\u{FEFF}Link;name\nnavigation:/onboarding;x\n\nnavigation:/characters/character/1?sheet=a,b",
        "link\tuser\nnavigation:/onboarding\t\nnavigation:/characters/character/1?sheet=a,b\t\n",
    ])
    func `a CSV file has its links in a column`(_ text: String) async throws {
        for name in ["campaign.csv", "campaign.txt"] {
            let outcome = try await check("--level", "premiumUser", file: name, text)
            #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
            #expect(outcome.output.hasSuffix("characterSheet\n2 links: 2 passed, 0 failed\n"), "\(outcome.output)")
            #expect(outcome.errors.split(separator: "\n").count <= 1, "\(outcome.errors)")
        }
    }

    @Test(arguments: [
        ("a,b\nx,y\nz,z\n", "campaign.csv has no column `link`: its first row has `a`, `b`."),
        ("link,user\nnavigation:/onboarding,ann,x\n", "campaign.csv:2: The row has 3 fields, the first row 2."),
        ("link,user\nnavigation:/onboarding,\"ann\n", "campaign.csv:2: Field 2 begins with a quotation mark"),
        ("link,user\n,ann\n", "campaign.csv:2: the case has no `link`."),
        ("link,level\n\nnavigation:/onboarding,king\n", "campaign.csv:3: `level` is `king`"),
        ("li\"nk,user\n", "campaign.csv:1: Field 1 has a quotation mark inside."),
    ])
    func `a malformed CSV file is refused once, with the line`(_ text: String, _ message: String) async throws {
        let outcome = try await check(file: "campaign.csv", text)
        #expect(outcome.code == 65)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.hasPrefix("waymark: \(message)"), "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count == 1)
    }

    @Test func `the columns that are not read are told once`() async throws {
        let outcome = try await check(file: "campaign.csv", "link,userid,name\nnavigation:/onboarding,ann,Ann\n")
        #expect(outcome.code == 0)
        #expect(outcome.errors == "waymark: campaign.csv: not read are the columns `userid`, `name`\n")
    }

    @Test func `a link that was not filled in is marked, and passes`() async throws {
        let links = """
            navigation:/characters/character/1?sheet={{name}}
            navigation:/characters/character/1?sheet=undefined
            navigation:/characters/character/{id}

            """
        let outcome = try await check("--level", "premiumUser", file: "links.txt", links)
        #expect(outcome.code == 1)
        let lines = outcome.output.split(separator: "\n")
        #expect(lines[0].hasPrefix("warn  1  "))
        #expect(
            lines[0].hasSuffix("characterSheet; `{{name}}` at byte 41 is a placeholder that was not filled in."),
            "\(lines[0])"
        )
        #expect(lines[1].hasSuffix("`undefined` at byte 41 stands where a program had no value."), "\(lines[1])")
        #expect(lines[2].hasPrefix("FAIL  3  "))
        #expect(lines[3] == "3 links: 2 passed, 1 failed, 3 with a warning")
        let json = Array(
            try await check("--format", "json", "--level", "premiumUser", file: "links.txt", links).output.utf8
        )
        #expect(try CanonicalJSON.member("warned", of: json) == "3")
        let xml = try await check("--format", "junit", "--level", "premiumUser", file: "links.txt", links).output
        #expect(xml.components(separatedBy: "<system-err>").count == 4)
        #expect(XMLParser(data: Data(xml.utf8)).parse())
    }

    @Test func `a link that is gated gets the hint that resolve gives`() async throws {
        let row = try await check(file: "links.txt", "navigation:/settings\n").output
        let refusal = try await Waymark.run(["resolve", "navigation:/settings"]).errors
        #expect(refusal.contains(" The way there is navigation:///onboarding, which gives onboardingCompleted."))
        #expect(row.contains(refusal.replacing("waymark: ", with: "").trimmingCharacters(in: .newlines)), "\(row)")
    }

    @Test func `users are not imported from a CSV file, and one message says so`() async throws {
        try await TemporaryFolder.with { folder in
            try "id,authorizationLevel\nann,none\nbob,none\n"
                .write(toFile: folder + "/users.csv", atomically: true, encoding: .utf8)
            let outcome = try await Waymark.run(["user", "import", "users.csv", "--create"], in: folder)
            #expect(outcome.code == 65)
            #expect(outcome.errors.hasPrefix("waymark: users.csv is a CSV file; send a JSON object a line."))
            #expect(outcome.errors.contains("Call its columns `id` and `authorizationLevel`"))
            #expect(outcome.errors.split(separator: "\n").count == 2, "\(outcome.errors)")
        }
    }

    @Test func `links with commas, and one link a line in a file called CSV, are no CSV`() async throws {
        let links = "navigation:/onboarding?a=1,2;3\n"
        #expect(try await check(file: "links.txt", links).code == 0)
        #expect(try await check(file: "links.csv", "navigation:/onboarding\n").code == 0)
    }

    @Test func `a case may name the app that asks`() async throws {
        let catalog = """
            version: 1
            origins: [{ scheme: shop }]
            entry: { offers: root }
            routes: { offers: { since: { ios: "3.2", android: "4" } } }
            """
        let cases = """
            - { link: "shop:/offers" }
            - { link: "shop:/offers", app: ios/3.2.0, stack: [offers] }
            - { link: "shop:/offers", app: android/3.9, problem: { code: app-update-required, requiredVersion: "4" } }

            """
        try await TemporaryFolder.with { folder in
            let file = folder + "/shop.yaml"
            try catalog.write(toFile: file, atomically: true, encoding: .utf8)
            func check(_ arguments: String...) async throws -> Waymark.Outcome {
                let links = folder + "/links.yaml"
                try cases.write(toFile: links, atomically: true, encoding: .utf8)
                return try await Waymark.run(["check", links, "--catalog", file] + arguments)
            }
            #expect(try await check().code == 0)
            let old = try await check("--app", "ios/3.1.0")
            #expect(old.code == 1)
            #expect(old.output.contains("it is asked for ios/3.1.0"), "\(old.output)")
            #expect(old.output.hasSuffix("3 links: 2 passed, 1 failed\n"), "\(old.output)")
            let wrong = try await Waymark.run(["check", file, "--app", "3.1.0", "--catalog", file])
            #expect(wrong.code == 64)

            let refused = try await Waymark.run(["resolve", "shop:/offers", "--app", "ios/3.1", "--catalog", file])
            #expect(refused.code == 1)
            #expect(refused.errors.contains("from ios/3.2 on; it is asked for ios/3.1."), "\(refused.errors)")
            let unsaid = try await Waymark.run(["resolve", "shop:/offers", "--catalog", file])
            #expect(
                unsaid.output.contains("app       from ios/3.2 on\napp       from android/4 on"),
                "\(unsaid.output)"
            )
        }
    }

    @Test func `programs read JSON`() async throws {
        let json = Array(try await check("--format", "json", "--level", "premiumUser").output.utf8)
        #expect(try CanonicalJSON.member("failed", of: json) == "2")
        #expect(try CanonicalJSON.member("results", of: json)?.contains("\"line\":4") == true)
    }

    @Test func `CI servers read JUnit's XML`() async throws {
        let xml = try await check("--format", "junit", "--level", "premiumUser").output
        #expect(xml.contains("<testsuite name=\"links.txt\" tests=\"4\" failures=\"2\">"))
        #expect(xml.contains("name=\"nav igation:/x &amp; &lt;y&gt;\""))
        let delegate = XMLCounter()
        let parser = XMLParser(data: Data(xml.utf8))
        parser.delegate = delegate
        #expect(parser.parse())
        #expect(delegate.counts == ["testsuite": 1, "testcase": 4, "failure": 2])
    }

    private final class XMLCounter: NSObject, XMLParserDelegate {
        var counts: [String: Int] = [:]

        func parser(
            _ parser: XMLParser,
            didStartElement name: String,
            namespaceURI: String?,
            qualifiedName: String?,
            attributes: [String: String]
        ) { counts[name, default: 0] += 1 }
    }

    /// The expected outcomes of links, in both spellings of a file.
    private static let cases = [
        (
            "cases.yaml",
            """
            # One case for each thing that can be said.
            - navigation:/onboarding
            - { link: "navigation:/settings", level: signedInUser, stack: [tabBar, characters, settings] }
            - link: navigation:/characters/character/7
              level: signedInUser
              stack: [tabBar, { route: characters, presentation: tab }, { route: character, parameters: { id: 7 } }]
              canonicalLink: navigation:///characters/character/7
            - { link: "navigation:/charcters", problem: no-matching-route, note: a misspelling }
            - { link: "navigation:/characters/character/x", problem: { code: invalid-parameter, parameter: id, status: 422 } }
            - { link: "navigation:/settings", gate: onboardingCompleted, problem: insufficient-authorization-level }
            - { link: "navigation:/settings", level: onboardingCompleted, gate: "navigation:///login" }
            - { link: "navigation:/settings", level: onboardingCompleted, gate: { level: signedInUser } }
            - { link: character/2, mode: append, from: "navigation:/characters", level: signedInUser, stack: [tabBar, characters, character] }
            - { link: "?sheet=x", mode: append, from: [{ route: tabBar, presentation: root }, { route: characters, presentation: tab }], stack: [tabBar, characters] }
            - { link: "no link", problem: malformed-link }
            """
        ),
        (
            "cases.ndjson",
            """
            {"link":"navigation:/onboarding","stack":[{"route":"onboarding","presentation":"root","parameters":{}}]}

            {"link":"navigation:/settings","problem":"insufficient-authorization-level","gate":"onboardingCompleted"}
            {"link":"character/2","mode":"append","from":"navigation:/characters","level":"premiumUser","stack":["tabBar","characters","character"]}
            """
        ),
    ]

    @Test(arguments: cases)
    func `a file says what each link should be`(_ name: String, _ text: String) async throws {
        let outcome = try await check(file: name, text)
        #expect(outcome.code == 0, "\(outcome.output) \(outcome.errors)")
        #expect(outcome.output.hasSuffix(" passed, 0 failed\n"))
    }

    @Test
    func `a gate that gives a grant is told from one that gives a level`() async throws {
        let catalog = """
            version: 1
            origins: [{ scheme: app }]
            levels: [guest, member]
            grants: [verified]
            gates: { member: /login, verified: /verify }
            entry: { login: root, verify: root, chat: root }
            routes: { login: {}, verify: {}, chat: { requires: [verified] } }

            """
        try await TemporaryFolder.with { folder in
            try catalog.write(toFile: folder + "/app.yaml", atomically: true, encoding: .utf8)
            try "- { link: 'app:/chat', level: guest, gate: member }\n"
                .write(toFile: folder + "/cases.yaml", atomically: true, encoding: .utf8)
            let outcome = try await Waymark.run(["check", "cases.yaml", "--catalog", "app.yaml"], in: folder)
            #expect(outcome.code == 1)
            let words = "the gate gives the grant verified, expected the level member"
            #expect(outcome.output.contains(words), "\(outcome.output)")
        }
    }

    @Test(arguments: [
        (
            "{ link: 'navigation:/onboarding', stack: [login] }",
            "`stack[0].route` is \"onboarding\", expected \"login\""
        ),
        (
            "{ link: 'navigation:/onboarding', stack: [onboarding, step1] }",
            "the stack is onboarding, expected 2 destinations"
        ),
        (
            "{ link: 'navigation:/onboarding', stack: [{ route: onboarding, presentation: sheet }] }",
            "`stack[0].presentation` is \"root\", expected \"sheet\""
        ),
        (
            "{ link: 'navigation:/onboarding', problem: no-matching-route }",
            "it leads to onboarding, expected the problem {\"code\":\"no-matching-route\"}"
        ),
        ("{ link: 'navigation:/onboarding', gate: signedInUser }", "it leads to onboarding, expected the gate"),
        (
            "{ link: 'navigation:/settings', problem: no-matching-route }",
            "`code` is \"insufficient-authorization-level\""
        ),
        (
            "{ link: 'navigation:/settings', gate: premiumUser }",
            "`gate.level` is \"onboardingCompleted\", expected \"premiumUser\""
        ),
        ("{ link: 'navigation:/nowhere', gate: premiumUser }", "no-matching-route, expected the gate"),
        ("{ link: 'navigation:/settings', stack: [settings] }", "insufficient-authorization-level: The destination"),
        ("{ link: 'navigation:/onboarding/', canonicalLink: 'navigation:/onboarding' }", "`canonicalLink` is"),
    ])
    func `a link that is something else fails, and says how`(_ line: String, _ message: String) async throws {
        let outcome = try await check(file: "cases.yaml", "- " + line)
        #expect(outcome.code == 1)
        #expect(outcome.output.contains(message), "\(outcome.output)")
    }

    @Test(arguments: [
        ("cases.yaml", "- {}", "cases.yaml:1: the case has no `link`"),
        ("cases.yaml", "link: x", "cases.yaml isn't a list"),
        (
            "cases.yaml", "- { link: x, levle: none }",
            "cases.yaml:1: `levle` isn't a key of a case. Did you mean `level`?"
        ),
        (
            "cases.yaml", "- { link: x, level: king }",
            "cases.yaml:1: `level` is `king`, none of none, onboardingCompleted"
        ),
        ("cases.yaml", "- { link: x, level: none, user: ann }", "has both `level` and `user`"),
        ("cases.yaml", "- { link: x, mode: sideways }", "`mode` is `sideways`"),
        ("cases.yaml", "- { link: x, from: 7 }", "`from` is a number"),
        ("cases.yaml", "- { link: x, from: no link }", "`from` isn't a link"),
        ("cases.yaml", "- { link: x, stack: home }", "`stack` isn't a list"),
        ("cases.yaml", "- { link: x, problem: no-such-code }", "`no-such-code` is the code of no problem"),
        ("cases.yaml", "- { link: x, problem: no-link, stack: [] }", "has no stack; keep one"),
        ("cases.yaml", "- { link: x, link: y }", "cases.yaml:1:14"),
        ("cases.ndjson", "{\"link\":\"x\"}\nnot json", "cases.ndjson:2 is not JSON: at byte 0"),
        ("cases.ndjson", "[]", "cases.ndjson:1: a case is an array"),
        ("links.txt", "{\"lnik\":\"x\"}", "links.txt:1: `lnik` isn't a key"),
    ])
    func `a file that makes no sense is named`(_ name: String, _ text: String, _ message: String) async throws {
        let outcome = try await check(file: name, text)
        #expect(outcome.code == 65)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test func `a case may name a user, whose level is stored`() async throws {
        try await TemporaryFolder.with { folder in
            let database = ["--database", folder + "/states.sqlite"]
            #expect(try await Waymark.run(["user", "set", "ann", "signedInUser", "--create"] + database).code == 0)
            let cases = """
                - { link: "navigation:/settings", user: ann, stack: [tabBar, characters, settings] }
                - { link: "navigation:/settings", user: ben, gate: onboardingCompleted }
                """
            let outcome = try await Waymark.run(["check", "-"] + database, input: cases)
            #expect(outcome.code == 0, "\(outcome.output) \(outcome.errors)")
        }
    }

    @Test func `coverage names the routes that no link reaches`() async throws {
        let text = """
            - { link: "navigation:/episodes/episode/1", gate: onboardingCompleted }
            - { link: "navigation:/login/registration/forgotpassword", level: onboardingCompleted }
            - { link: "navigation:/settings/nowhere", problem: no-matching-route }
            """
        let missing = [
            "onboarding", "step1", "step2", "characters", "character", "characterSheet", "settings", "profile",
        ]
        let outcome = try await check("--coverage", file: "cases.yaml", text)
        #expect(outcome.code == 0, "\(outcome.output)")
        #expect(
            outcome.output.hasSuffix("6 of 14 routes reached; no link reaches \(missing.joined(separator: ", "))\n"),
            "\(outcome.output)"
        )
        let json = Array(try await check("--coverage", "--format", "json", file: "cases.yaml", text).output.utf8)
        let names = missing.map { "\"\($0)\"" }.joined(separator: ",")
        #expect(try CanonicalJSON.member("coverage", of: json) == "{\"missing\":[\(names)],\"routes\":14}")
        #expect(
            try await check("--coverage", "--format", "junit", file: "cases.yaml", text).output
                .contains("6 of 14 routes")
        )
    }

    @Test func `links come from standard input too`() async throws {
        let outcome = try await Waymark.run(["check", "-"], input: "navigation:/onboarding\n")
        #expect(outcome.code == 0)
        #expect(outcome.output == "ok  1  navigation:/onboarding  onboarding\n1 link: 1 passed, 0 failed\n")
        #expect(try await Waymark.run(["check", "nowhere.txt"]).code == 69)
        #expect(try await Waymark.run(["check", "-"], input: "").output == "0 links: 0 passed, 0 failed\n")
    }
}
