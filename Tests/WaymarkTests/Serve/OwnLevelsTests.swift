import Foundation
import Glibc
import Testing
import WaymarkTestSupport

/// Follows the levels of a catalog's own through the surfaces of a server and of the commands.
@Suite struct OwnLevelsTests {
    private static let levels = "levels: [guest, member, verified, staff, owner]"

    private static func catalog(_ levels: String = levels, gates: String = "owner: /own") -> String {
        """
        version: 1
        origins: [{ scheme: club }]
        \(levels)
        gates: { member: /login, verified: /verify, staff: /staff, \(gates) }
        entry: { lobby: { presentation: root, initial: true }, login: root, verify: root, staff: root, own: root }
        routes:
          lobby: { opens: { vault: push } }
          vault: { authorizationLevel: owner }
          login: {}
          verify: { authorizationLevel: member }
          staff: {}
          own: { authorizationLevel: staff }

        """
    }

    private func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    }

    private func withServer(
        options: [String] = [],
        _ body: (ServerProcess, _ database: String, _ catalog: String) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            let (path, database) = (folder + "/routes.yaml", folder + "/states.sqlite")
            try write(Self.catalog(), to: path)
            let server = try await ServerProcess.start(database: database, catalog: path, options: options)
            try await body(server, database, path)
            server.terminate()
            #expect(try await server.exitCode() == 0)
        }
    }

    @Test func `a fifth level is on every surface`() async throws {
        try await withServer { server, database, path in
            let vault = "/v1/resolve?link=club%3A%2Flobby%2Fvault"
            let refused = try await server.request("GET", vault).text
            #expect(refused.contains(#""requiredLevel":"owner","userLevel":"guest","gate":{"level":"member","#))
            #expect(try await server.request("GET", vault + "&level=staff").text.contains(#""gate":{"level":"owner""#))
            let plan = try await server.request("GET", vault + "&level=owner").text
            #expect(plan.contains(#""authorizationLevel":{"required":"owner","user":"owner"}"#))
            let unknown = try await server.request("GET", vault + "&level=signedInUser").text
            #expect(unknown.contains("levels are `guest`, `member`, `verified`, `staff`, `owner`"))
            let explained = try await server.request("GET", vault + "&level=staff&explain=true").text
            #expect(explained.contains("It requires `owner`; the user has `staff`."))
            // Users, their history, and lists.
            let body = #"{"authorizationLevel":"owner","validUntil":"2020-01-01T00:00:00Z"}"#
            #expect(try await server.request("POST", "/v1/users/ada", body: body).status == 201)
            let ada = try await server.request("GET", "/v1/users/ada").text
            #expect(
                ada.contains(
                    #""authorizationLevel":"owner","validUntil":"2020-01-01T00:00:00Z","currentLevel":"staff""#
                )
            )
            let bob = try await server.request("POST", "/v1/users/bob", body: #"{"authorizationLevel":"owner"}"#)
            #expect(bob.status == 201)
            let wrong = try await server.request(
                "POST",
                "/v1/users/eve",
                body: #"{"authorizationLevel":"premiumUser"}"#
            )
            #expect(wrong.status == 400 && wrong.text.contains("there are guest, member, verified, staff, owner"))
            let raised = #"{"authorizationLevel":"member","levelAfter":"staff"}"#
            #expect(
                try await server.request("POST", "/v1/users/eve", body: raised).text.contains("`levelAfter` is higher")
            )
            #expect(
                try await server.request("GET", "/v1/users/bob/history").text.contains(#""authorizationLevel":"owner""#)
            )
            #expect(try await server.request("GET", vault + "&user=bob").status == 200)
            #expect(try await server.request("GET", vault + "&user=ada").text.contains(#""userLevel":"staff""#))
            let audience = try await server.request("GET", "/v1/audience?link=club%3A%2Flobby%2Fvault").text
            #expect(audience.contains(#""users":2,"reached":1,"gated":{"member":0,"verified":0,"staff":0,"owner":1}"#))
            let report = try await server.request("GET", "/v1/report").text
            // Questions at a level are in the metrics, and in no report.
            #expect(report.contains(#"{"level":"owner","reached":1,"passed":0}"#), "\(report)")
            #expect(report.contains(#""gated":{"member":1,"owner":1}"#), "\(report)")
            let metrics = try await server.request("GET", "/metrics").text
            #expect(metrics.contains(#"waymark_gated_total{gate="owner"} 3"#), "\(metrics)")
            let shown = try await server.request("GET", "/v1/catalog").text
            #expect(shown.contains(#""levels":["guest","member","verified","staff","owner"],"gates""#))
            // Commands name the levels of the database's catalog, or of one that is named.
            let get = try await Waymark.run(["user", "get", "ada", "--database", database])
            #expect(get.output.contains("staff"), "\(get.output) \(get.errors)")
            let set = try await Waymark.run(["user", "set", "cem", "verified", "--database", database])
            #expect(set.code == 0, "\(set.errors)")
            let unset = try await Waymark.run(["user", "set", "cem", "verifed", "--database", database])
            #expect(unset.code == 64 && unset.errors.contains("did you mean `verified`?"), "\(unset.errors)")
            let resolve = ["resolve", "club:/lobby/vault", "--catalog", path, "--level"]
            #expect(try await Waymark.run(resolve + ["owner"]).code == 0)
            #expect(try await Waymark.run(resolve + ["staff"]).errors.contains("which gives owner"))
            #expect(try await Waymark.run(resolve + ["premiumUser"]).code == 64)
        }
    }

    @Test func `a catalog that lacks a level of stored users is taken on a signal alone`() async throws {
        try await withServer { server, _, path in
            let body = #"{"authorizationLevel":"owner"}"#
            #expect(try await server.request("POST", "/v1/users/ada", body: body).status == 201)
            let vault = "/v1/resolve?link=club%3A%2Flobby%2Fvault&user=ada"
            #expect(try await server.request("GET", vault).status == 200)
            let other = "levels: [guest, member, verified, staff, boss]"
            let new = Self.catalog(other, gates: "boss: /own")
                .replacing("authorizationLevel: owner", with: "authorizationLevel: boss")
            try write(new, to: path)
            try await wait(for: "the refusal") {
                server.logged.contains("it lacks levels or grants that stored users have")
            }
            #expect(server.logged.contains("`owner` of 1 user"))
            #expect(try await server.request("GET", vault).status == 200)
            server.signal(SIGHUP)
            try await wait(for: "the reload") { server.logged.contains("A new catalog is in force.") }
            // Nobody has access by it: the level counts as the lowest.
            #expect(try await server.request("GET", vault).text.contains(#""userLevel":"guest""#))
            try await wait(for: "the count") {
                server.logged.contains("The catalog lacks a level that stored users have")
            }
            #expect(try await server.request("GET", "/metrics").text.contains("waymark_users_unknown_level 1"))
            // Under its former name, the level counts again.
            try write(new.replacing("boss]", with: "{ name: boss, was: owner }]"), to: path)
            try await wait(for: "the next reload") { try await server.request("GET", vault).status == 200 }
            #expect(try await server.request("GET", "/v1/users/ada").text.contains(#""authorizationLevel":"boss""#))
        }
    }

    @Test func `a level is renamed beside a server, after which its former name may go`() async throws {
        try await withServer { server, database, path in
            let body = #"{"authorizationLevel":"owner"}"#
            #expect(try await server.request("POST", "/v1/users/ada", body: body).status == 201)
            let vault = "/v1/resolve?link=club%3A%2Flobby%2Fvault&user=ada"
            let renamed = Self.catalog("levels: [guest, member, verified, staff, { name: boss, was: owner }]")
                .replacing("owner: /own", with: "boss: /own")
            try write(renamed, to: path)
            try await wait(for: "the reload") {
                try await server.request("GET", vault).text.contains(#""user":"boss""#)
            }
            let rename = try await Waymark.run(["user", "rename-level", "owner", "boss", "--database", database])
            #expect(rename.code == 0 && rename.output.contains("1 user and 1 change are renamed"), "\(rename.errors)")
            #expect(try await server.request("GET", vault).status == 200)
            try write(
                renamed.replacing("{ name: boss, was: owner }", with: "boss").replacing("owner", with: "boss"),
                to: path
            )
            try await wait(for: "the last reload") {
                try await server.request("GET", "/v1/catalog").text.contains(#""staff","boss"]"#)
            }
            #expect(try await server.request("GET", vault).status == 200)
            #expect(
                try await server.request("GET", "/v1/users/ada").text
                    .contains(#""authorizationLevel":"boss","currentLevel":"boss","version":1"#)
            )
        }
    }

    @Test func `nobody is sent to a gate by a renaming that the server's catalog doesn't have`() async throws {
        try await withServer { server, database, path in
            for (user, level) in [("ada", "owner"), ("bob", "staff")] {
                let body = #"{"authorizationLevel":"\#(level)"}"#
                #expect(try await server.request("POST", "/v1/users/\(user)", body: body).status == 201)
            }
            let vault = "/v1/resolve?link=club%3A%2Flobby%2Fvault&user="
            async let renaming = Waymark.run(["user", "rename-level", "owner", "boss", "--database", database])
            try await wait(for: "the renaming") {
                // Each user's level is the one before, whatever the name in the database.
                #expect(try await server.request("GET", vault + "ada").status == 200)
                #expect(try await server.request("GET", vault + "bob").status == 403)
                return try await server.request("GET", "/v1/users/ada/history").text.contains("boss")
                    || server.logged.contains("A level has another name in the database")
            }
            let outcome = try await renaming
            #expect(
                outcome.code == 0 && outcome.output.contains("1 user and 1 change are renamed"),
                "\(outcome.errors)"
            )
            // A catalog that changes elsewhere is taken, and reads the name all the same.
            try write(Self.catalog().replacing("version: 1", with: "version: 1 # of today"), to: path)
            try await wait(for: "the reload") { server.logged.contains("A new catalog is in force.") }
            for _ in 0..<20 {
                #expect(try await server.request("GET", vault + "ada").status == 200)
                #expect(try await server.request("GET", vault + "bob").text.contains(#""userLevel":"staff""#))
            }
            let ada = try await server.request("GET", "/v1/users/ada").text
            #expect(ada.contains(#""authorizationLevel":"owner","currentLevel":"owner","version":1"#), "\(ada)")
            // So does one that starts later.
            server.terminate()
            #expect(try await server.exitCode() == 0)
            let next = try await ServerProcess.start(database: database, catalog: path)
            #expect(try await next.request("GET", vault + "ada").status == 200)
            next.terminate()
            #expect(try await next.exitCode() == 0)
            // The published levels are those of the file.
            let shown = try await Waymark.run(["catalog", "show", path, "--format", "json"])
            #expect(!shown.output.contains("boss"))
        }
    }

    @Test func `levels of tokens are checked when the server starts`() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/routes.yaml"
            try write(Self.catalog(), to: path)
            let options = [
                "--jwt-issuer", "https://id.example", "--jwt-audience", "app", "--jwt-keys", folder + "/none.json",
            ]
            for (more, message) in [
                (["--jwt-minimum-level", "signedInUser"], "set one of guest, member, verified, staff, owner"),
                (
                    ["--jwt-level-claim", "plan", "--jwt-levels", "gold=premiumUser"],
                    "gives `gold` the level `premiumUser`"
                ),
            ] {
                let serve = ["serve", "--catalog", path, "--database", folder + "/states.sqlite"] + options + more
                let outcome = try await Waymark.run(serve)
                #expect(outcome.code == 64 && outcome.errors.contains(message), "\(outcome.errors)")
            }
        }
    }
}
