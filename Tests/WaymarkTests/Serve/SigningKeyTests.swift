import Foundation
import Testing
import WaymarkTestSupport

/// Changes the keys that sign links, below a running server.
@Suite struct SigningKeyTests {
    private static let catalog = """
        version: 1
        origins: [{ scheme: shop }]
        entry: { offer: root }
        routes: { offer: { signed: true } }
        """

    /// Writes a file of keys, each named by the letter that its secret is made of.
    private func write(_ letters: [String], to path: String) throws {
        let keys = letters.map { letter in
            let secret = Data(String(repeating: letter, count: 32).utf8).base64EncodedString()
            return "{\"id\":\"\(letter)\",\"secret\":\"\(secret)\"}"
        }
        let text = letters.isEmpty ? "nothing" : "{\"keys\":[\(keys.joined(separator: ","))]}"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path + ".new"))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path + ".new")
        guard rename(path + ".new", path) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    @Test func `a key is replaced without a restart, and a file without keys changes nothing`() async throws {
        try await TemporaryFolder.with { folder in
            let (catalog, keys) = (folder + "/routes.yaml", folder + "/keys.json")
            try Data(Self.catalog.utf8).write(to: URL(fileURLWithPath: catalog))
            try write(["a"], to: keys)
            let server = try await ServerProcess.start(
                database: folder + "/states.sqlite",
                catalog: catalog,
                options: ["--signing-keys", keys]
            )
            func signed() throws -> String {
                let arguments = ["link", "build", "--sign", "--catalog", catalog, "--signing-keys", keys]
                let process = Waymark.process(arguments, [:])
                let (input, output) = (Pipe(), Pipe())
                (process.standardInput, process.standardOutput) = (input, output)
                try process.run()
                try input.fileHandleForWriting.write(contentsOf: Data(#"{"route":"offer"}"#.utf8))
                try input.fileHandleForWriting.close()
                let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
                return text.trimmingCharacters(in: .newlines)
            }
            func answer(_ link: String) async throws -> String {
                let value = link.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
                return try await server.request("GET", "/v1/resolve?link=\(value)").text
            }
            let first = try signed()
            #expect(first.contains("sig=a."))
            #expect(try await answer(first).contains("canonicalLink"))
            try write(["b", "a"], to: keys)
            let second = try signed()
            #expect(second.contains("sig=b."))
            try await wait(for: "the new key") { try await answer(second).contains("canonicalLink") }
            #expect(try await answer(first).contains("canonicalLink"))
            try write([], to: keys)
            try await wait(for: "the complaint") { server.logged.contains("the former ones stay") }
            #expect(try await answer(first).contains("canonicalLink"))
            try write(["b"], to: keys)
            try await wait(for: "the end of the old key") { try await answer(first).contains("unknown-key") }
            #expect(try await answer(second).contains("canonicalLink"))
            server.terminate()
            #expect(try await server.exitCode() == 0)
        }
    }
}
