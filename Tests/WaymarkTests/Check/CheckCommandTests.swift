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

    private func check(_ arguments: String..., expecting expected: String? = nil) async throws -> Waymark.Outcome {
        try await TemporaryFolder.with { folder in
            let file = folder + "/links.txt"
            try Self.links.write(toFile: file, atomically: true, encoding: .utf8)
            var arguments = ["check", file] + arguments
            if let expected {
                let path = folder + "/expected.ndjson"
                try expected.write(toFile: path, atomically: true, encoding: .utf8)
                arguments += ["--expect", path]
            }
            let outcome = try await Waymark.run(arguments)
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

    @Test func `expected answers are compared member by member`() async throws {
        let expected = """
            {"stack":[{"presentation":"root","route":"onboarding","parameters":{}}]}
            {"status":403,"userLevel":"none"}
            {"suggestions":["navigation:///characters"]}
            {"reason":"no-scheme"}
            """
        let outcome = try await check(expecting: expected)
        #expect(outcome.code == 0, "\(outcome.output)")
        #expect(outcome.output.hasSuffix("4 links: 4 passed, 0 failed\n"))
        // A level of its own, a member that differs, one that is missing.
        let other = """
            {"status":404}
            {"level":"signedInUser","canonicalLink":"navigation:///settings"}
            {"suggestions":[]}
            {"offset":4}
            """
        let differences = try await check(expecting: other)
        #expect(differences.code == 1)
        #expect(differences.output.contains("`status` is 200, expected 404"))
        #expect(differences.output.contains("`suggestions` is [\"navigation:///characters\"], expected []"))
        #expect(differences.output.contains("`offset` is 3, expected 4"))
        #expect(differences.output.hasSuffix("4 links: 1 passed, 3 failed\n"))
    }

    @Test func `what the batch endpoint answers can be expected`() async throws {
        let body = ["navigation:/onboarding", "navigation:/settings", "navigation:/charcters", "nav igation:/x & <y>"]
            .map { "{\"link\":\"\($0)\"}" }.joined(separator: "\n")
        let answers = try await ServerProcess.with { server in
            let head = "POST /v1/resolve/batch HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-ndjson\r\n"
            return try await RawConnection(port: server.port)
                .exchange(Array((head + "Content-Length: \(body.utf8.count)\r\n\r\n" + body).utf8)).text
        }
        let outcome = try await check(expecting: answers)
        #expect(outcome.code == 0, "\(outcome.output)")
    }

    @Test(arguments: [
        ("{}\n{}\n", 65, "has 4 links, and expected.ndjson 2 answers"),
        ("{}\n{}\n{}\nnot json", 65, "expected.ndjson:4 is not JSON: at byte 0"),
        ("{}\n{}\n{}\n[]", 65, "expected.ndjson:4 is no JSON object"),
        ("{}\n{}\n{\"level\":\"king\"}\n{}", 65, "expected.ndjson:3: `level` is none of none, onboardingCompleted"),
    ])
    func `a file that makes no sense is named`(_ text: String, _ code: Int, _ message: String) async throws {
        let outcome = try await check(expecting: text)
        #expect(Int(outcome.code) == code)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test func `links come from standard input too`() async throws {
        let outcome = try await Waymark.run(["check", "-"], input: "navigation:/onboarding\n")
        #expect(outcome.code == 0)
        #expect(outcome.output == "ok  1  navigation:/onboarding  onboarding\n1 link: 1 passed, 0 failed\n")
        #expect(try await Waymark.run(["check", "-", "--expect", "-"]).code == 64)
        #expect(try await Waymark.run(["check", "nowhere.txt"]).code == 69)
        #expect(try await Waymark.run(["check", "-"], input: "").output == "0 links: 0 passed, 0 failed\n")
    }
}
