import DeepLinkFormats
import DeepLinkWeb
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
                (try? String(
                    decoding: Checkout.bytes("Tests/DeepLinkWebTests/Association/Cases/apple.tsv"),
                    as: UTF8.self
                ))
            return (text ?? "").split(separator: "\n").filter { !$0.hasPrefix("#") }
                .map { line in
                    let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
                    return Case(json: fields[0], url: fields[1], want: fields[2])
                }
        }()

        /// The file: a component alone is the only one of the app.
        var file: String {
            json.hasPrefix("{\"applinks\"") || json.hasPrefix("{\"webcredentials\"")
                || json.hasPrefix("[") && json.hasSuffix("]!")
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

    /// A file of one app with rules, and a variable of 100 values.
    private static func file(_ components: String, value: String = "a*") throws -> AppleAssociationFile {
        let values = Array(repeating: "\"\(value)\"", count: 100).joined(separator: ",")
        let json =
            #"{"applinks":{"substitutionVariables":{"v":[\#(values)]},"details":[{"appIDs":["A"],"components":[\#(components)]}]}}"#
        return AppleAssociationFile(try JSONParser.parse(Array(json.utf8)))
    }

    private static func steps(_ file: AppleAssociationFile, _ url: String) throws -> Int {
        let url = try #require(PlatformURL(url))
        let all = 100_000_000
        var effort = MatchingEffort(steps: all)
        _ = try file.verdict(on: url, domain: "", app: "A", &effort)
        return all - effort.steps
    }

    @Test(arguments: ["$(v)", "$(region)", "$(lang)"])
    func `a pattern is paid for before it is laid out`(_ variable: String) throws {
        // All values of the variable 10,000 times: millions of states, of which the effort pays for no tenth.
        let file = try Self.file(#"{"/":"/x\#(String(repeating: variable, count: 10_000))"}"#)
        let url = try #require(PlatformURL("https://example.com/y"))
        var effort = MatchingEffort(steps: 1_000_000)
        #expect(throws: MatchingEffortError.self) { try file.verdict(on: url, domain: "", app: "A", &effort) }
        #expect(effort.steps == 0)
    }

    @Test func `a rule is laid out when it is reached`() throws {
        let long = #"{"/":"/x\#(String(repeating: "$(v)", count: 10_000))"}"#
        let steps = try Self.steps(Self.file(#"{"/":"/y"},\#(long)"#), "https://example.com/y")
        #expect(steps < 1_000, "\(steps) steps")
    }

    @Test func `what is reached without a character is paid for`() throws {
        // 100 states and more are reached without a character, at each character of the path.
        let file = try Self.file(#"{"/":"/$(v)*x"}"#, value: "*")
        let steps = try Self.steps(file, "https://example.com/" + String(repeating: "a", count: 1_000))
        #expect(steps > 1_000 * 200, "\(steps) steps")
    }

    @Test func `a file without a bracket's end takes the steps of its length`() throws {
        let steps = try Self.steps(
            Self.file(#"{"/":"/x\#(String(repeating: "$(", count: 20_000))"}"#),
            "https://example.com/y"
        )
        #expect(steps < 40_000 * 16, "\(steps) steps")
    }
}
