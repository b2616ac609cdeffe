import DeepLinkAssociation
import DeepLinkFormats
import Foundation
import Testing
import WaymarkTestSupport

/// Tests of the matcher of Apple's files by cases of a data file, most of them answers that `swcutil` gave.
@Suite struct AppleAssociationFileTests {
    /// One case of `Cases/apple.tsv`: a component or a file, a URL, and whether the app opens.
    struct Case: Sendable, CustomTestStringConvertible {
        let json: String
        let url: String
        let want: String

        var testDescription: String { "\(json) \(url)" }

        static let all: [Case] = {
            let text =
                (try? String(decoding: Checkout.bytes("Tests/DeepLinkAssociationTests/Cases/apple.tsv"), as: UTF8.self))
            return (text ?? "").split(separator: "\n").filter { !$0.hasPrefix("#") }
                .map { line in
                    let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
                    return Case(json: fields[0], url: fields[1], want: fields[2])
                }
        }()

        /// The file: a component alone is the only one of the app.
        var file: String {
            json.hasPrefix("{\"applinks\"") || json.hasPrefix("[") && json.hasSuffix("]!")
                ? json
                : #"{"applinks":{"details":[{"appIDs":["ABCDE12345.com.example.app"],"components":[\#(json)]}]}}"#
        }
    }

    @Test(arguments: Case.all)
    func `a URL opens as Apple's systems say`(_ example: Case) throws {
        let file = AppleAssociationFile(try JSONParser.parse(Array(example.file.utf8)))
        let url = try #require(PlatformURL(example.url))
        var effort = MatchingEffort()
        let verdict = try file.verdict(on: url, domain: "example.com", app: "ABCDE12345.com.example.app", &effort)
        let said = verdict.opens ? "open" : verdict.rule == nil ? "none" : "blocked"
        #expect(said == example.want)
    }

    @Test func `there are many cases`() {
        #expect(Case.all.count >= 120)
    }

    @Test func `a file that takes too long is given up`() throws {
        let values = (0..<200).map { "\"a*\($0)b*\"" }.joined(separator: ",")
        let json =
            #"{"applinks":{"substitutionVariables":{"v":[\#(values)]},"details":[{"appIDs":["A"],"components":[{"/":"/$(v)$(v)$(v)$(v)$(v)"}]}]}}"#
        let file = AppleAssociationFile(try JSONParser.parse(Array(json.utf8)))
        let url = try #require(PlatformURL("https://example.com/" + String(repeating: "a1b2", count: 500)))
        var effort = MatchingEffort(steps: 100_000)
        #expect(throws: MatchingEffortError.self) { try file.verdict(on: url, domain: "", app: "A", &effort) }
    }
}
