import Foundation
import Testing
import WaymarkTestSupport

/// Tests of a token that is written into a file, and so into no terminal and no log.
@Suite struct TokenFileTests {
    private func create(_ folder: String, _ options: [String] = [], umask: String = "000") async throws
        -> Waymark.Outcome
    {
        try await Waymark.run(
            ["token", "create", "--role", "admin", "--create", "--database", folder + "/states.sqlite"] + options,
            through: ["/bin/sh", "-c", "umask \(umask); exec \"$@\"", "sh"]
        )
    }

    private func count(_ folder: String) async throws -> Int {
        let list = try await Waymark.run(["token", "list", "--database", folder + "/states.sqlite"])
        return list.output.split(separator: "\n").count
    }

    @Test func `the file has the token, only its owner may read it, and nothing else shows it`() async throws {
        try await TemporaryFolder.with { folder in
            let file = folder + "/admin.token"
            let made = try await create(folder, ["--output", file])
            #expect(made.code == 0 && made.output.isEmpty, "\(made.errors)")
            let token = try String(contentsOfFile: file, encoding: .utf8)
            #expect(token.wholeMatch(of: /wm_[0-9a-z]{12}_[0-9A-Za-z]{49}\n/) != nil)
            #expect(!made.errors.contains(token.trimmingCharacters(in: .newlines).suffix(49)))
            #expect(made.errors.contains("the token is in \(file)"))
            #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
            let server = try await ServerProcess.start(database: folder + "/states.sqlite")
            let answer = try await server.request("GET", "/v1/catalog", token: token.trimmingCharacters(in: .newlines))
            #expect(answer.status == 200)
            try await server.kill()
        }
    }

    @Test func `nothing is overwritten, and then there is no token either`() async throws {
        try await TemporaryFolder.with { folder in
            let file = folder + "/admin.token"
            #expect(try await create(folder, ["--output", file]).code == 0)
            let token = try String(contentsOfFile: file, encoding: .utf8)
            try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: "elsewhere")
            for path in [file, folder + "/link", folder, folder + "/none/admin.token"] {
                let again = try await create(folder, ["--output", path])
                #expect(again.code == 69, "\(path)")
                #expect(again.errors.contains("No token was made"), "\(again.errors)")
            }
            #expect(try String(contentsOfFile: file, encoding: .utf8) == token)
            #expect(!FileManager.default.fileExists(atPath: folder + "/elsewhere"))
            #expect(try await count(folder) == 1)
        }
    }

    @Test func `in JSON the file has what would be printed`() async throws {
        try await TemporaryFolder.with { folder in
            let file = folder + "/admin.json"
            #expect(try await create(folder, ["--format", "json", "--output", file]).code == 0)
            let object = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: file)))
            #expect((object as? [String: Any])?["role"] as? String == "admin")
            #expect(((object as? [String: Any])?["token"] as? String)?.hasPrefix("wm_") == true)
        }
    }
}
