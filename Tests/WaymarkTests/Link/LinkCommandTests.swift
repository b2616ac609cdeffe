import Foundation
import Testing
import WaymarkTestSupport

@Suite struct LinkCommandTests {
    private static let stack = """
        [{"route":"tabBar","presentation":"root"},{"route":"characters","presentation":"tab"},
         {"route":"character","presentation":"push","parameters":{"id":1}}]
        """

    @Test func `a stack becomes a link of every scheme`() async throws {
        let link = try await Waymark.run(["link", "build"], input: Self.stack)
        #expect(link.output == "navigation://loremipsum.com/characters/character/1\n")
        let web = try await Waymark.run(["link", "build", "--scheme", "HTTPS"], input: Self.stack)
        #expect(web.output == "https://loremipsum.com/characters/character/1\n")
        let all = try await Waymark.run(["link", "build", "-", "--all-schemes"], input: Self.stack)
        #expect(all.output == link.output + web.output)
    }

    @Test func `a destination alone becomes the link of the shortest stack`() async throws {
        let destination = #"{"route":"episode","parameters":{"id":7}}"#
        let link = try await Waymark.run(["link", "build", "--all-schemes"], input: destination)
        #expect(
            link.output
                == "navigation://loremipsum.com/episodes/episode/7\nhttps://loremipsum.com/episodes/episode/7\n"
        )
    }

    @Test func `a link of no origin says which part is foreign`() async throws {
        let outcome = try await Waymark.run(["resolve", "navigation://episodes/episode/7"])
        #expect(outcome.code == 1)
        #expect(outcome.errors.contains("or the link as `navigation:///episodes/episode/7`"), "\(outcome.errors)")
        #expect(outcome.errors.contains("The hosts of `navigation` are `loremipsum.com`."), "\(outcome.errors)")
    }

    @Test func `of several ways to a destination the first is taken`() async throws {
        let catalog = """
            version: 1
            origins: [{ scheme: x }]
            entry: { a: root, b: root }
            routes: { a: { opens: { c: push } }, b: { opens: { c: sheet } }, c: {} }
            """
        try await TemporaryFolder.with { folder in
            let file = folder + "/routes.yaml"
            try catalog.write(toFile: file, atomically: true, encoding: .utf8)
            let outcome = try await Waymark.run(["link", "build", "--catalog", file], input: #"{"route":"c"}"#)
            #expect(outcome.output == "x:///a/c\n", "\(outcome.errors)")
        }
    }

    @Test(arguments: Example.names)
    func `every scheme of a catalog has links that resolve`(_ name: String) async throws {
        let catalog = ["--catalog", Checkout.path("Config/examples/\(name).yaml")]
        let starts = [
            "sample-app": "navigation:/episodes/episode/7", "suinavigation": "suintest://SecondView?SecondView=4",
            "router": "router:///dashboard/profile", "folders": "folders:///folder/a?sheet=info",
            "inventory": "nav:///inventory/add?name=x",
        ]
        let level = ["--level", "premiumUser", "--format", "json"]
        let start = try #require(starts[name])
        let answer = try await Waymark.run(["resolve", start] + level + catalog)
        let links = try await Waymark.run(["link", "build", "--all-schemes"] + catalog, input: answer.output)
        #expect(links.code == 0, "\(links.errors)")
        let stack = try CanonicalJSON.member("stack", of: Array(answer.output.utf8))
        #expect(!links.output.isEmpty)
        for link in links.output.split(separator: "\n") {
            let again = try await Waymark.run(["resolve", String(link)] + level + catalog)
            #expect(try CanonicalJSON.member("stack", of: Array(again.output.utf8)) == stack, "\(link)")
        }
    }

    @Test(arguments: [
        ("[]", 65, "holds an empty stack"), ("nonsense", 65, "standard input is not JSON: at byte 0"),
        ("{}", 65, "`stack` is null; send an array"), ("[{}]", 65, "has no `route` or no `presentation`"),
        (
            #"{"route":"characterSheet"}"#, 1,
            "characterSheet has no link: A link to `characterSheet` also needs `id` of `character`; send"
        ),
        (#"{"route":"login","presentation":"root"}"#, 65, "has the key `presentation`"),
        (#"{"route":"login","parameters":7}"#, 65, "`parameters` isn't an object"),
        (#"[{"route":"login","presentation":"root"},{"route":"tabBar","presentation":"root"}]"#, 1, "does not open"),
        (
            #"[{"route":"tabBar","presentation":"root"},{"route":"character","presentation":"push"}]"#, 1,
            "`tabBar` does not open `character`. Insert `characters` as `tab` below it."
        ),
        (
            #"[{"route":"characterSheet","presentation":"sheet"}]"#, 1,
            "Insert `tabBar` as `root` and `characters` as `tab` and `character` as `push` with `id` below it."
        ),
        (
            #"[{"route":"login","presentation":"root"},{"route":"settings","presentation":"fullScreenCover"}]"#, 1,
            "`login` does not open `settings`. It stands on `tabBar` as `root`."
        ),
        (
            #"[{"route":"tabBar","presentation":"root"},{"route":"x","presentation":"tab"}]"#, 1,
            "`tabBar` does not open `x`. There is no route `x`."
        ),
    ])
    func `a stack without a link says why`(_ stack: String, _ code: Int, _ message: String) async throws {
        let outcome = try await Waymark.run(["link", "build"], input: stack)
        #expect(Int(outcome.code) == code)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test func `a scheme that no origin has is a usage error`() async throws {
        let outcome = try await Waymark.run(["link", "build", "--scheme", "ftp"], input: Self.stack)
        #expect(outcome.code == 64)
        #expect(outcome.errors.contains("There are navigation, https."))
    }
}
