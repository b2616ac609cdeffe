import Foundation
import Testing
import WaymarkTestSupport

/// Tests of `catalog diff --database`: the stored users whom a finding touches.
@Suite struct DiffUsersTests {
    private static let old = """
        version: 1
        origins: [{ scheme: club, hosts: [club.example] }]
        levels: [guest, member, verified, owner]
        gates: { member: /login, verified: /login, owner: /login }
        entry: { home: root, login: root, vault: root, lounge: root }
        routes:
          home: {}
          login: {}
          lounge: { authorizationLevel: member }
          vault: { authorizationLevel: owner }

        """

    private static let users = """
        {"id":"a","authorizationLevel":"guest"}
        {"id":"b","authorizationLevel":"member"}
        {"id":"c","authorizationLevel":"member"}
        {"id":"d","authorizationLevel":"verified"}
        {"id":"e","authorizationLevel":"verified"}
        {"id":"f","authorizationLevel":"verified"}
        {"id":"g","authorizationLevel":"owner"}

        """

    /// Compares a catalog with another, for the users of a database.
    private func diff(
        _ new: String,
        _ arguments: String...,
        check: (Waymark.Outcome) throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            for (name, text) in ["old.yaml": Self.old, "new.yaml": new, "users.ndjson": Self.users] {
                try text.write(toFile: folder + "/" + name, atomically: true, encoding: .utf8)
            }
            let load = [
                "user", "import", "users.ndjson", "--create", "--catalog", "old.yaml", "--database", "club.sqlite",
            ]
            let loaded = try await Waymark.run(load, in: folder)
            try #require(loaded.code == 0, "\(loaded.errors)")
            let words = ["catalog", "diff", "old.yaml", "new.yaml", "--database", "club.sqlite"]
            try check(try await Waymark.run(words + arguments, in: folder))
        }
    }

    /// Returns the users of each finding of a report, by its rule and subject.
    private func counts(_ outcome: Waymark.Outcome) throws -> [String: Int] {
        let report = try #require(
            try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
        )
        let findings = try #require(report["findings"] as? [[String: Any]])
        return Dictionary(
            findings.compactMap { finding in
                guard let rule = finding["rule"] as? String, let users = finding["users"] as? Int else { return nil }
                return ("\(rule) \(finding["route"] ?? finding["gate"] ?? "")", users)
            },
            uniquingKeysWith: +
        )
    }

    @Test func `a finding says how many stored users it touches`() async throws {
        let new = Self.old.replacing("authorizationLevel: member", with: "authorizationLevel: verified")
            .replacing("authorizationLevel: owner", with: "authorizationLevel: verified")
        try await diff(new, "--format", "json") { outcome in
            #expect(outcome.code == 0, "\(outcome.errors)")
            let counts = try counts(outcome)
            #expect(counts["level-raised lounge"] == 2)
            #expect(counts["level-lowered vault"] == 3)
        }
        try await diff(new) { outcome in
            #expect(outcome.output.contains("[level-raised]") && outcome.output.contains("    users: 2\n"))
        }
        try await diff(
            Self.old.replacing("vault: root, lounge: root", with: "vault: root").replacing("lounge", with: "#lounge")
        ) {
            outcome in
            #expect(outcome.code == 1)
            // All but the guest reached it.
            #expect(outcome.output.contains("    users: 6\n"), "\(outcome.output)")
        }
        try await diff(Self.old.replacing("owner: /login", with: "owner: /home"), "--format", "json") { outcome in
            let counts = try counts(outcome)
            #expect(counts == ["gate-changed owner": 3])
        }
    }

    @Test func `users of a level that is lost are counted, and those of a former name`() async throws {
        let lost = Self.old.replacing("member, verified, owner]", with: "member, owner]")
            .replacing("verified: /login, ", with: "")
        try await diff(lost, "--format", "json") { outcome in
            let counts = try counts(outcome)
            #expect(counts["levels-reordered "] == 3)
            #expect(
                outcome.output.contains(#""users":{"total":7,"unknownLevels":{"verified":3}}"#),
                "\(outcome.output)"
            )
        }
        try await diff(lost) { outcome in
            let remark = "3 stored users of the level `verified`, which the new catalog lacks, count as the lowest"
            #expect(outcome.output.contains(remark), "\(outcome.output)")
        }
        let renamed = Self.old.replacing("verified, owner]", with: "{ name: proven, was: verified }, owner]")
            .replacing("verified: /login", with: "proven: /login")
        try await diff(renamed) { outcome in
            #expect(outcome.code == 0 && !outcome.output.contains("[levels-reordered]"))
            #expect(outcome.output.contains("3 stored users have the former name `verified`"), "\(outcome.output)")
        }
        let reordered = Self.old.replacing("member, verified,", with: "verified, member,")
            .replacing("member: /login, verified: /login", with: "verified: /login, member: /login")
        try await diff(reordered, "--format", "json") { outcome in
            // Members are now above verified users: those are no longer members, and these are verified.
            let counts = try counts(outcome)
            #expect(counts["levels-reordered "] == 5)
        }
    }

    @Test func `a database that cannot be read is not taken for one without users`() async throws {
        try await TemporaryFolder.with { folder in
            try Self.old.write(toFile: folder + "/old.yaml", atomically: true, encoding: .utf8)
            let words = ["catalog", "diff", "old.yaml", "old.yaml", "--database"]
            #expect(try await Waymark.run(words + ["none.sqlite"], in: folder).code == 69)
            #expect(try await Waymark.run(words + ["mysql://host/x"], in: folder).code == 64)
        }
    }
}
