import Foundation
import Testing
import WaymarkTestSupport

/// Grants and assertions on the command line, and in files of links.
@Suite struct GrantCommandTests {
    private static let catalog = """
        version: 1
        origins: [{ scheme: bank }]
        levels: [guest, { name: welcomed, from: app }, member]
        grants: [pro, kyc, { name: unlocked, from: app }]
        gates: { welcomed: /gate, member: /gate, kyc: /gate, pro: /gate, unlocked: /gate }
        entry: { gate: { presentation: root, initial: true }, news: root, vault: root }
        routes:
          gate: {}
          news: { requires: [pro] }
          vault: { authorizationLevel: member, requires: [kyc, unlocked] }
        """

    private func run(_ arguments: String..., file: (name: String, text: String)? = nil) async throws -> Waymark.Outcome
    {
        try await TemporaryFolder.with { folder in
            try Self.catalog.write(toFile: folder + "/bank.yaml", atomically: true, encoding: .utf8)
            var arguments = arguments + ["--catalog", folder + "/bank.yaml"]
            if let file {
                try file.text.write(toFile: folder + "/" + file.name, atomically: true, encoding: .utf8)
                arguments.insert(folder + "/" + file.name, at: 1)
            }
            return try await Waymark.run(arguments)
        }
    }

    @Test func `a link is resolved for a level, grants, and what the app asserts`() async throws {
        let refused = try await run("resolve", "bank:/vault", "--level", "member", "--holds", "unlocked,kyc,other")
        #expect(refused.code == 1)
        #expect(refused.errors.contains("missing is kyc"), "\(refused.errors)")
        #expect(refused.errors.contains("The way there is bank:///gate, which gives kyc."), "\(refused.errors)")
        let granted = try await run(
            "resolve",
            "bank:/vault",
            "--level",
            "member",
            "--grants",
            "kyc, pro",
            "--holds",
            "unlocked"
        )
        #expect(granted.code == 0)
        #expect(granted.output.contains("grants    kyc, unlocked required\n"), "\(granted.output)")
        let asserted = try await run("resolve", "bank:/gate", "--holds", "welcomed", "--format", "json")
        #expect(asserted.output.contains(#""user":"welcomed","source":"app""#), "\(asserted.output)")
    }

    @Test func `names that the catalog lacks, and grants without a level, are refused`() async throws {
        let unknown = try await run("resolve", "bank:/news", "--level", "guest", "--grants", "prro")
        #expect(unknown.code == 64 && unknown.errors.contains("`prro` isn't a grant; there are"), "\(unknown.errors)")
        #expect(try await run("resolve", "bank:/news", "--grants", "pro").code == 64)
    }

    @Test func `a file of links names grants and assertions, and takes those of the app as held`() async throws {
        let cases = """
            - { link: "bank:/vault", level: member, grants: [kyc], stack: [vault] }
            - { link: "bank:/vault", level: member, grants: [kyc], holds: [], problem: missing-grant, gate: unlocked }
            - { link: "bank:/vault", level: guest, holds: [], problem: insufficient-authorization-level, gate: welcomed }
            - { link: "bank:/vault", level: guest, gate: member }
            - { link: "bank:/vault", level: member, problem: { code: missing-grant, missing: [kyc] }, gate: kyc }
            - { link: "bank:/news", problem: missing-grant, gate: { grant: pro } }
            """
        let good = try await run("check", file: ("links.yaml", cases))
        #expect(good.code == 0, "\(good.output)\(good.errors)")
        #expect(try await run("check", "--grants", "pro", file: ("links.txt", "bank:/news\n")).code == 0)
        let bad = try await run("check", file: ("links.yaml", #"- { link: "bank:/vault", level: member, gate: pro }"#))
        #expect(bad.code == 1 && bad.output.contains(#"`gate.grant` is "kyc", expected "pro""#), "\(bad.output)")
        for (text, message) in [
            (#"- { link: "bank:/a", level: member, grants: [x] }"#, "`grants` has `x`; grants are kyc, pro, unlocked"),
            (#"- { link: "bank:/a", grants: [pro] }"#, "`grants` stands beside a `level`"),
            (#"- { link: "bank:/a", holds: unlocked }"#, "`holds` is a string; write a list of names"),
            (#"- { link: "bank:/a", holds: [[]] }"#, "`holds` has an array in it"),
        ] {
            let outcome = try await run("check", file: ("links.yaml", text))
            #expect(outcome.code == 65 && outcome.errors.contains(message), "\(outcome.errors)")
        }
    }

    @Test func `a catalog's tree names what a destination requires, and the gates in their order`() async throws {
        let tree = try await run("catalog", "show")
        #expect(tree.output.contains("member kyc unlocked"), "\(tree.output)")
        let gates = tree.output.split(separator: "\n").filter { $0.hasPrefix("gate ") }
            .map { $0.split(separator: " ")[1] }
        #expect(gates == ["welcomed", "member", "kyc", "pro", "unlocked"])
    }
}
