import Foundation
import Testing
import WaymarkTestSupport

/// Tests of the commands about short links, on a database of their own.
@Suite struct ShortLinkCommandTests {
    private static let catalog = """
        version: 1
        origins:
          - { scheme: https, hosts: [shop.example] }
          - { scheme: https, hosts: [go.example, s.example], shortLinks: true }
        entry: { home: { presentation: root, initial: true } }
        routes:
          home: { path: "", opens: { product: push, books: push, offer: push } }
          product: { path: "p/{id}", parameters: { id: int } }
          books: {}
          offer: { path: "o/{id}", shortLink: { length: 16, within: 30d } }

        """

    /// Runs a body with a folder and a function that runs commands on a database in it.
    private func withDatabase(
        _ body: (_ folder: String, _ run: ([String]) async throws -> Waymark.Outcome) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            try Self.catalog.write(toFile: folder + "/routes.yaml", atomically: true, encoding: .utf8)
            #expect(try await Waymark.run(["token", "create", "--role", "admin", "--create"], in: folder).code == 0)
            try await body(folder) { arguments in
                try await Waymark.run(["short-links"] + arguments + ["--catalog", "routes.yaml"], in: folder)
            }
        }
    }

    @Test func `a link is made, shown, listed, withdrawn and made again`() async throws {
        try await withDatabase { folder, run in
            let made = try await run(["make", "https://shop.example/p/7?x=1", "--code", "spring", "--label", "mail"])
            #expect(made.code == 0, "\(made.errors)")
            #expect(made.output == "https://go.example/spring  working  https://shop.example/p/7  label mail\n")
            let arguments = ["make", "https://shop.example/p/7", "--code", "spring", "--label", "mail"]
            #expect(try await run(arguments).output == made.output)
            let other = try await run(["make", "https://shop.example/p/8", "--code", "SPRING"])
            #expect(other.code == 1 && other.errors.contains("the code is that of `spring`"), "\(other.errors)")
            let taken = try await run(["make", "https://shop.example/p/8", "--code", "spring"])
            #expect(taken.code == 1 && taken.errors.contains("--replace gives it these"), "\(taken.errors)")

            let drawn = try await run(["make", "https://go.example/spring", "--host", "s.example", "--format", "json"])
            #expect(drawn.code == 0, "\(drawn.errors)")
            let body = Array(drawn.output.utf8)
            #expect(try CanonicalJSON.member("target", of: body) == "\"https://shop.example/p/7\"")
            #expect(drawn.output.contains("\"link\":\"https://s.example/"))
            #expect(drawn.output.contains("\"state\":\"working\",\"version\":1,"))

            let shown = try await run(["show", "https://go.example/spring?utm_source=x"])
            #expect(shown.code == 0)
            #expect(
                shown.output.hasPrefix("link     https://go.example/spring\nstate    working\ntarget   https://shop")
            )
            #expect(shown.output.contains("stack    home     root\n         product  push  id=7\nlabel    mail\n"))
            let options = ["--catalog", folder + "/routes.yaml", "--database", folder + "/var/waymark.sqlite"]
            let plan = try await Waymark.run(["resolve", "https://go.example/Spring?x=2"] + options)
            #expect(plan.code == 0, "\(plan.errors)")
            #expect(plan.output.hasPrefix("link      https://shop.example/p/7\n"), "\(plan.output)")
            #expect(plan.output.hasSuffix("unused    x=2\n"), "\(plan.output)")
            let unknown = try await Waymark.run(
                ["resolve", "https://go.example/unknown", "--format", "json"] + options
            )
            #expect(unknown.code == 1 && unknown.output.contains("unknown-short-link"), "\(unknown.output)")
            #expect(try await run(["list", "--label", "mail"]).output == made.output)
            #expect(try await run(["list", "--route", "product"]).output.split(separator: "\n").count == 2)
            #expect(try await run(["list", "--route", "books"]).output.isEmpty)

            #expect(try await run(["withdraw", "spring"]).code == 0)
            #expect(try await run(["withdraw", "spring"]).code == 1)
            #expect(try await run(["show", "spring"]).code == 1)
            #expect(try await run(["list", "--state", "withdrawn"]).output.contains("go.example/spring  withdrawn"))
            let gone = try await run(["make", "https://shop.example/books", "--code", "spring"])
            #expect(gone.code == 1 && gone.errors.contains("was withdrawn; --replace makes it work again"))
            let again = try await run(["make", "https://shop.example/books", "--code", "spring", "--replace"])
            #expect(again.output == "https://go.example/spring  working  https://shop.example/books\n")
            let history = try await run(["show", "spring"]).output
            #expect(history.contains("changes  version 1  https://shop.example/p/7"))
            #expect(history.contains("         version 2  withdrawn"))
            #expect(history.contains("         version 3  https://shop.example/books"))
            #expect(try await run(["show", "nothing"]).code == 1)
        }
    }

    @Test(arguments: [
        (["make", "no link"], 65, "no-scheme"),
        (["make", "https://shop.example/boks"], 1, "Did you mean https://shop.example/books?"),
        (["make", "https://shop.example/books", "--code", "x"], 64, "isn't a code"),
        (["make", "https://shop.example/books", "--code", "console"], 64, "a path of the server's own"),
        (["make", "https://shop.example/books", "--host", "x.example"], 64, "The hosts are go.example, s.example"),
        (["make", "https://shop.example/books", "--expires", "2020-01-01T00:00:00Z"], 64, "which has passed"),
        (["make", "https://shop.example/books", "--label", ""], 64, "a label has 1 to 64 bytes"),
        (["make", "https://shop.example/books", "--replace"], 64, "--replace is about a --code"),
        (["make", "https://shop.example/o/1", "--code", "short"], 64, "at least 16 characters"),
        (["make", "https://shop.example/o/1", "--expires", "2100-01-01T00:00:00Z"], 64, "ends by "),
        (["make", "https://go.example/unknown"], 1, "No short link with this code leads anywhere"),
        (["import", "--format", "waymark", "--label", "x"], 64, "taken as it is"),
        (["import", "--format", "csv", "--otherwise", "https://gone.example/"], 64, "--otherwise: No origin"),
        (["import", "--format", "csv", "--rewrite-host", "a"], 64, "--rewrite-host"),
        (["import", "--format", "csv", "nowhere.csv"], 69, "cannot read nowhere.csv"),
    ])
    func `a command that cannot be met says why`(_ arguments: [String], _ code: Int, _ message: String) async throws {
        try await withDatabase { _, run in
            let outcome = try await run(arguments)
            #expect(Int(outcome.code) == code, "\(outcome.errors)")
            #expect(outcome.errors.contains(message), "\(outcome.errors)")
            #expect(outcome.output.isEmpty)
        }
    }

    @Test func `a route's codes are long, and end`() async throws {
        try await withDatabase { _, run in
            let made = try await run(["make", "https://shop.example/o/1"])
            #expect(
                made.output.wholeMatch(of: /https:\/\/go\.example\/[0-9a-z]{16}  working .* until .*\n/) != nil,
                "\(made)"
            )
        }
    }

    @Test func `links are imported and exported, and a catalog says which it would break`() async throws {
        try await withDatabase { folder, run in
            var rows = "code,link\n"
            for number in 1...1_200 { rows += "code\(number),https://old.example/p/\(number)\n" }
            rows += "dead,https://old.example/x\n"
            try rows.write(toFile: folder + "/links.csv", atomically: true, encoding: .utf8)
            let arguments = ["import", "--format", "csv", "links.csv", "--rewrite-host", "old.example=shop.example"]
            let first = try await run(arguments)
            #expect(first.code == 1)
            #expect(
                first.output.hasPrefix("rows           1201\nmade           1200\nalready there  0\nrefused        1\n")
            )
            let second = try await run(arguments + ["--json"])
            #expect(
                second.output.hasPrefix(
                    #"{"rows":1201,"made":0,"existing":1200,"otherwise":0,"refused":1,"refusals":[{"#
                )
            )
            let third = try await run(arguments + ["--otherwise", "https://shop.example/"])
            #expect(third.code == 0)
            #expect(
                third.output.contains("already there   1200\nrefused         0\nby --otherwise  1\n"),
                "\(third.output)"
            )

            let export = try await run(["export"])
            #expect(export.output.split(separator: "\n").count == 1_201)
            try export.output.write(toFile: folder + "/export.ndjson", atomically: true, encoding: .utf8)
            let copy = ["--database", "copy.sqlite", "--create"]
            #expect(try await run(["import", "--format", "waymark", "export.ndjson"] + copy).code == 0)
            #expect(try await run(["export", "--database", "copy.sqlite"]).output == export.output)

            try Self.catalog.replacing("p/{id}", with: "item/{id}").replacing(", books: push", with: "")
                .replacing("  books: {}\n", with: "")
                .write(toFile: folder + "/next.yaml", atomically: true, encoding: .utf8)
            #expect(try await run(["make", "https://shop.example/books", "--code", "books"]).code == 0)
            let broken = try await Waymark.run(
                ["short-links", "list", "--state", "broken", "--catalog", "next.yaml"],
                in: folder
            )
            #expect(
                broken.output == "https://go.example/books  broken  https://shop.example/books\n",
                "\(broken.errors)"
            )
        }
    }

    @Test func `a catalog without an origin of short links makes none`() async throws {
        try await TemporaryFolder.with { folder in
            let catalog = Checkout.path("Config/routes.yaml")
            let outcome = try await Waymark.run(
                ["short-links", "make", "navigation:/onboarding", "--catalog", catalog, "--create"],
                in: folder
            )
            #expect(outcome.code == 1)
            #expect(outcome.errors.contains("{ scheme: https, hosts: [go.example.com], shortLinks: true }"))
        }
    }
}
