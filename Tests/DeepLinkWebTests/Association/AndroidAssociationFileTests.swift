import DeepLinkFormats
import DeepLinkWeb
import Foundation
import Testing
import WaymarkTestSupport

/// Tests of the matcher of Android's files by cases of a data file: of the three generations of its parser, and of what
/// surrounds it.
@Suite struct AndroidAssociationFileTests {
    /// One case of `Cases/android.tsv`: rules or a file, a URL, and the generations in which the app opens.
    struct Case: Sendable, CustomTestStringConvertible {
        let json: String
        let url: String

        /// The digits of the generations in which the app opens, and `-` for none.
        let opens: String

        /// The place of the rule that decides for the newest, or `-`.
        let rule: String

        var testDescription: String { "\(json) \(url)" }

        static let all: [Case] = {
            let path = "Tests/DeepLinkWebTests/Association/Cases/android.tsv"
            let text = (try? String(decoding: Checkout.bytes(path), as: UTF8.self)) ?? ""
            return text.split(separator: "\n").filter { !$0.hasPrefix("#") }
                .map { line in
                    let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
                    return Case(json: fields[0], url: fields[1], opens: fields[2], rule: fields[3])
                }
        }()

        /// The file: a list of rules alone is that of the app.
        var file: String {
            json.hasPrefix("[") && json.contains("\"target\"") || json.hasPrefix("{")
                ? json
                : #"[{"relation":["delegate_permission/common.handle_all_urls"],"target":{"namespace":"android_app","#
                    + #""package_name":"com.example.app","sha256_cert_fingerprints":["AA"]},"relation_extensions":{"#
                    + #""delegate_permission/common.handle_all_urls":{"dynamic_app_link_components":\#(json)}}}]"#
        }
    }

    @Test(arguments: Case.all)
    func `a URL opens as each generation of Android says`(_ example: Case) throws {
        let json = try JSONParser.parse(Array(example.file.utf8))
        let url = try #require(PlatformURL(example.url))
        var effort = MatchingEffort()
        let verdicts = try AndroidGeneration.allCases.map {
            try AndroidAssociationFile(json, generation: $0)
                .verdict(on: url, domain: "example.com", app: "com.example.app", &effort)
        }
        let opens = zip(["1", "2", "3"], verdicts).filter { $1.opens }.map { $0.0 }.joined()
        #expect((opens.isEmpty ? "-" : opens) == example.opens)
        #expect((verdicts[2].rule.map { String($0) } ?? "-") == example.rule)
    }

    @Test func `there are many cases`() {
        #expect(Case.all.count >= 120)
    }

    @Test func `the file of a host speaks for the hosts below it where the manifest says so`() throws {
        let json =
            #"[{"relation":["delegate_permission/common.handle_all_urls"],"target":{"namespace":"android_app","package_name":"a.b"}}]"#
        let file = AndroidAssociationFile(try JSONParser.parse(Array(json.utf8)))
        for (host, domain, opens) in [
            ("a.example.com", "*.example.com", true), ("example.com", "*.example.com", false),
            ("a.example.com", "example.com", false), ("A.Example.com", "*.example.COM", true), ("x.test", "", true),
        ] {
            let url = try #require(PlatformURL("https://\(host)/x"))
            var effort = MatchingEffort()
            let verdict = try file.verdict(on: url, domain: domain, app: nil, &effort)
            #expect(verdict.opens == opens, "\(host) \(domain)")
        }
    }

    @Test func `a file that takes too long is given up`() throws {
        // Each pattern of a query is compared with each of its pairs.
        let query = (0..<2_000).map { "\"k\($0)\":\"v*w*x\"" }.joined(separator: ",")
        let json =
            #"[{"relation":["delegate_permission/common.handle_all_urls"],"target":{"namespace":"android_app","package_name":"a.b"},"#
            + #""relation_extensions":{"delegate_permission/common.handle_all_urls":{"dynamic_app_link_components":["#
            + #"{"?":{\#(query)}}]}}}]"#
        let file = AndroidAssociationFile(try JSONParser.parse(Array(json.utf8)))
        let url = try #require(PlatformURL("https://example.com/?" + String(repeating: "k=v&", count: 2_000)))
        var effort = MatchingEffort(steps: 10_000)
        #expect(throws: MatchingEffortError.self) { try file.verdict(on: url, domain: "", app: nil, &effort) }
    }
}
