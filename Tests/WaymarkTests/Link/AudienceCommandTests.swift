import Foundation
import Testing
import WaymarkTestSupport

@Suite struct AudienceCommandTests {
    /// Runs the command in a folder with three stored users and a list.
    private func audience(_ arguments: String..., list: String, name: String = "list.csv") async throws
        -> Waymark.Outcome
    {
        try await TemporaryFolder.with { folder in
            let database = ["--database", folder + "/a.sqlite"]
            for (user, level) in [("ann", "premiumUser"), ("ben", "signedInUser"), ("eve", "onboardingCompleted")] {
                #expect(try await Waymark.run(["user", "set", user, level, "--create"] + database).code == 0)
            }
            try list.write(toFile: folder + "/" + name, atomically: true, encoding: .utf8)
            let outcome = try await Waymark.run(["audience"] + arguments + ["--users", folder + "/" + name] + database)
            return Waymark.Outcome(
                code: outcome.code,
                output: outcome.output,
                errors: outcome.errors.replacing(folder + "/", with: "")
            )
        }
    }

    @Test(arguments: [
        "user,name\nann,Ann\nben,Ben\nzoe,Zoe\n", "{\"user\":\"ann\"}\n{\"user\":\"ben\"}\n\n{\"user\":\"zoe\"}\n",
        "ann\r\nben\r\nzoe\r\n",
    ])
    func `the users of a list are counted by the outcome of one link`(_ list: String) async throws {
        let name = list.contains(",name") ? "list.csv" : "list.txt"
        let link = "navigation:/characters/character/1?sheet=test"
        let outcome = try await audience(link, "--format", "json", list: list, name: name)
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(
            outcome.output == """
                {"link":"\(link)","users":3,"reached":1,\
                "gated":{"onboardingCompleted":1,"signedInUser":0,"premiumUser":1},"failed":0}

                """
        )
    }

    @Test func `each user may have a link`() async throws {
        let list = """
            link;user
            navigation:/characters/character/1;ann
            navigation:/settings;eve
            navigation:/charcters;ben
            no link;ben
            navigation:/onboarding;zoe

            """
        let outcome = try await audience(list: list)
        #expect(outcome.code == 1)
        let rows = outcome.output.split(separator: "\n")
            .map { $0.split(separator: " ", omittingEmptySubsequences: true) }
        #expect(
            rows == [
                ["users", "5"], ["reached", "2", "40", "%"], ["gated", "at", "signedInUser", "1", "20", "%"],
                ["leads", "nowhere", "2", "40", "%"],
            ]
        )
        #expect(outcome.errors.isEmpty)
    }

    @Test(arguments: [
        ("id,link\nann,navigation:/onboarding\n", "list.csv has no column `user`"),
        ("user,link\nann,\n", "list.csv:2 has no `link`; name the link of all before --users."),
        ("user,link\n,navigation:/onboarding\n", "list.csv:2: `` isn't the id of a user."),
        ("user,link\nann,\"x\n", "list.csv:2: Field 2 begins with a quotation mark"),
        ("{\"usr\":\"ann\"}\n", "list.csv:1: "),
    ])
    func `a malformed list is refused once, with the line`(_ list: String, _ message: String) async throws {
        let outcome = try await audience(list: list)
        #expect(outcome.code == 65)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.hasPrefix("waymark: " + message), "\(outcome.errors)")
    }

    @Test func `a link or a list is needed`() async throws {
        #expect(try await Waymark.run(["audience"]).code == 64)
    }

    @Test func `a comparison of catalogs refuses a CSV file of links once`() async throws {
        try await TemporaryFolder.with { folder in
            try "link,count\nnavigation:/onboarding,3\n"
                .write(toFile: folder + "/links.csv", atomically: true, encoding: .utf8)
            let catalog = Checkout.path("Config/routes.yaml")
            let outcome = try await Waymark.run(["catalog", "diff", catalog, catalog, "--links", folder + "/links.csv"])
            #expect(outcome.code == 65)
            #expect(outcome.errors.contains("links.csv is a CSV file"))
        }
    }
}
