import Foundation
import Testing
import WaymarkTestSupport

/// Short links on a running server: a new catalog that breaks some, and those that end users make.
@Suite struct ShortLinkServerTests {
    private static let catalog = """
        version: 1
        origins:
          - { scheme: https, hosts: [shop.example] }
          - { scheme: https, hosts: [go.example], shortLinks: true }
        entry: { home: { presentation: root, initial: true } }
        routes:
          home: { path: "", opens: { product: push, help: push } }
          product: { path: "product/{id}", parameters: { id: int } }
          help: {}

        """

    private static let withoutHelp = catalog.replacing(", help: push", with: "").replacing("  help: {}\n", with: "")

    private static let path = "/v1/short-links"

    private func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    }

    private func broken(_ server: ServerProcess) async throws -> String? {
        try await server.request("GET", "/metrics").text.firstMatch(of: /waymark_short_links_broken (\d+)/)
            .map { String($0.1) }
    }

    @Test func `a catalog that breaks links is told of before, by the diff, and after, by log, metric and list`()
        async throws
    {
        try await TemporaryFolder.with { folder in
            let (path, next, database) = (folder + "/routes.yaml", folder + "/next.yaml", folder + "/states.sqlite")
            try write(Self.catalog, to: path)
            try write(Self.withoutHelp, to: next)
            let server = try await ServerProcess.start(database: database, catalog: path)
            for (code, link) in [("five", "product/5"), ("six", "product/6"), ("help", "help"), ("more", "help")] {
                let body = #"{"link":"https://shop.example/\#(link)"}"#
                #expect(try await server.request("POST", "\(Self.path)/\(code)", body: body).status == 201)
            }
            let diff = ["catalog", "diff", path, next]
            #expect(try await !Waymark.run(diff).output.contains("short-links-break"))
            let told = try await Waymark.run(diff + ["--database", database])
            #expect(told.code == 1, "\(told.errors)")
            #expect(
                told.output.contains(
                    "break: 2 short links to `help` break [short-links-break]\n    for: links\n    link: https://shop.example/help"
                ),
                "\(told.output)"
            )
            let json = try await Waymark.run(diff + ["--database", database, "--format", "json"]).output
            #expect(json.firstMatch(of: /"shortLinks": ?2/) != nil, "\(json)")
            #expect(try await Waymark.run(["catalog", "diff", next, path, "--database", database]).code == 0)
            try write(Self.withoutHelp, to: path)
            try await wait(for: "the check") { server.logged.contains("The catalog breaks short links") }
            #expect(
                server.logged.contains("route=help") || server.logged.contains(#""route":"help""#),
                "\(server.logged)"
            )
            try await wait(for: "the metric") { try await broken(server) == "2" }
            let listed = try await server.request("GET", "\(Self.path)?state=broken").text
            #expect(listed.contains(#""code":"help""#) && listed.contains(#""code":"more""#), "\(listed)")
            #expect(!listed.contains("five") && !listed.contains("six"), "\(listed)")
            // The former catalog brings everything back.
            try write(Self.catalog, to: path)
            try await wait(for: "the next check") { try await broken(server) == "0" }
            #expect(try await server.request("GET", "\(Self.path)?state=broken").text == #"{"shortLinks":[]}"#)
            server.terminate()
            #expect(try await server.exitCode() == 0)
            // A restart checks nothing again.
            let again = try await ServerProcess.start(database: database, catalog: path)
            try await wait(for: "the start") { try await broken(again) == "0" }
            try await Task.sleep(for: .seconds(3))
            #expect(!again.logged.contains("were checked"), "\(again.logged)")
            again.terminate()
            #expect(try await again.exitCode() == 0)
        }
    }

    /// A token of user `ada`, of an issuer and a key that open nothing elsewhere.
    private static let token = """
        eyJhbGciOiJIUzI1NiIsImtpZCI6ImEifQ.eyJpc3MiOiJpIiwiYXVkIjoiYSIsInN1YiI6ImFkYSIsImV4cCI6NDEwMjQ0NDgwMH0.\
        HNxJZ81uIthxplmRM5vWNRW6iMISd053dzgbmgcccxo
        """

    @Test func `the setting says how many links a user may make a day`() async throws {
        try await TemporaryFolder.with { folder in
            let (path, keys) = (folder + "/routes.yaml", folder + "/keys.json")
            try write(Self.catalog, to: path)
            try write(
                #"{"keys":[{"kid":"a","kty":"oct","alg":"HS256","k":"MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY"}]}"#,
                to: keys
            )
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: keys)
            let jwt = ["--jwt-issuer", "i", "--jwt-audience", "a", "--jwt-keys", keys]
            for (options, count) in [([], 0), (["--short-links-per-user", "2"], 2)] {
                let server = try await ServerProcess.start(
                    database: folder + "/states-\(count).sqlite",
                    catalog: path,
                    options: jwt + options
                )
                let body = #"{"link":"https://shop.example/product/5"}"#
                for number in 0..<(count + 1) {
                    let made = try await server.request("POST", Self.path, body: body, token: Self.token)
                    #expect(made.status == (number < count ? 201 : 429), "\(made.text)")
                }
                server.terminate()
                #expect(try await server.exitCode() == 0)
            }
        }
    }
}
