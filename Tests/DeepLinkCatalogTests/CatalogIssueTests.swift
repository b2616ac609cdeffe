import DeepLinkCatalog
import DeepLinkCore
import Testing
import WaymarkTestSupport

@Suite struct CatalogIssueTests {
    struct Example: Sendable, CustomTestStringConvertible {
        let code: CatalogIssue.Code
        let line: Int
        let column: Int
        let yaml: String
        var testDescription: String { "\(code.rawValue) \(line):\(column)" }

        init(_ code: CatalogIssue.Code, _ line: Int, _ column: Int, _ yaml: String) {
            self.code = code
            self.line = line
            self.column = column
            self.yaml = yaml
        }
    }

    private static let head = "version: 1\norigins: [{ scheme: nav }]\n"

    static let examples: [Example] = [
        Example(.invalidYAML, 1, 1, ""),
        Example(.invalidYAML, 2, 11, "version: 1\norigins: [}"),
        Example(.duplicateKey, 5, 3, head + "entry: { a: root }\nroutes: { a: {},\n  a: {} }"),
        Example(.mergeKey, 5, 8, head + "entry: { a: root }\nroutes:\n  a: { <<: { path: x } }"),
        Example(.unknownKey, 5, 8, head + "entry: { a: root }\nroutes:\n  a: { paht: x }"),
        Example(.unknownKey, 3, 1, head + "entires: {}\nentry: { a: root }\nroutes: { a: {} }"),
        Example(.missingKey, 1, 1, "origins: [{ scheme: nav }]\nentry: { a: root }\nroutes: { a: {} }"),
        Example(.missingKey, 3, 13, head + "entry: { a: { initial: true } }\nroutes: { a: {} }"),
        Example(.wrongType, 4, 9, head + "entry: { a: root }\nroutes: [a]"),
        Example(.wrongType, 3, 44, head + "entry: { a: { presentation: root, initial: yes } }\nroutes: { a: {} }"),
        Example(.invalidValue, 3, 13, head + "entry: { a: roott }\nroutes: { a: {} }"),
        Example(.invalidValue, 4, 36, head + "entry: { a: root }\nroutes: { a: { authorizationLevel: premium } }"),
        Example(
            .unsupportedVersion,
            1,
            10,
            "version: 2\norigins: [{ scheme: nav }]\nentry: { a: root }\nroutes: { a: {} }"
        ),
        Example(
            .invalidOrigin,
            2,
            11,
            "version: 1\norigins: [{ scheme: https }]\nentry: { a: root }\nroutes: { a: {} }"
        ),
        Example(
            .invalidOrigin,
            2,
            21,
            "version: 1\norigins: [{ scheme: 1nav }]\nentry: { a: root }\nroutes: { a: {} }"
        ),
        Example(
            .invalidOrigin,
            2,
            34,
            "version: 1\norigins: [{ scheme: nav, hosts: ['a b'] }]\nentry: { a: root }\nroutes: { a: {} }"
        ),
        Example(
            .invalidOrigin,
            2,
            34,
            "version: 1\norigins: [{ scheme: nav, hosts: ['a.com/b'] }]\nentry: { a: root }\nroutes: { a: {} }"
        ),
        Example(
            .invalidOrigin,
            3,
            5,
            "version: 1\norigins: [{ scheme: nav },\n    { scheme: nav }]\nentry: { a: root }\nroutes: { a: {} }"
        ),
        Example(.invalidValue, 4, 11, head + "entry: { a: root }\nroutes: { '': {}, a: {} }"),
        Example(.missingKey, 3, 8, head + "entry: {}\nroutes: {}"),
        Example(.unreachableRoute, 3, 19, head + "entry: { a: root, q: root }\nroutes: { a: {}, q: { query: q } }"),
        Example(.duplicateKey, 4, 18, head + "entry: { a: root }\nroutes: { a: {}, a: {} } # \u{2028}"),
        Example(.duplicateKey, 6, 18, "# \u{2028}\n" + head + "entry: { a: root }\nroutes: { a: {}, a: {} }"),
        Example(
            .unknownKey,
            4,
            16,
            head + "entry: { a: root }\nroutes: { a: { \u{E000}authorizationLevel: premiumUser } }"
        ),
        Example(
            .tooLarge,
            3,
            19,
            head + "entry: { a: root, b: root }\nroutes:\n"
                + "  a: { path: 'a/{p}', parameters: { p: { type: string, pattern: '[a-z]{1,1500}[a-z]{1,1500}0' } } }\n"
                + "  b: { path: 'a/{p}', parameters: { p: { type: string, pattern: '[a-z]{1,1500}[a-z]{1,1500}1' } } }"
        ),
        Example(
            .invalidParameter,
            4,
            51,
            head + "entry: { a: root }\nroutes: { a: { parameters: { n: { type: int, min: 0x1 } } } }"
        ),
        Example(.invalidPath, 4, 22, head + "entry: { a: root }\nroutes: { a: { path: 'a//b' } }"),
        Example(.invalidPath, 4, 22, head + "entry: { a: root }\nroutes: { a: { path: 'a/{x y}' } }"),
        Example(.invalidParameter, 4, 33, head + "entry: { a: root }\nroutes: { a: { parameters: { n: integer } } }"),
        Example(
            .invalidParameter,
            4,
            59,
            head + "entry: { a: root }\nroutes: { a: { parameters: { n: { type: int, min: 5, max: 4 } } } }"
        ),
        Example(
            .invalidParameter,
            4,
            55,
            head + "entry: { a: root }\nroutes: { a: { parameters: { n: { type: int, default: x } } } }"
        ),
        Example(
            .invalidParameter,
            4,
            58,
            head + "entry: { a: root }\nroutes: { a: { parameters: { n: { type: string, pattern: '(a)' } } } }"
        ),
        Example(.invalidParameter, 4, 33, head + "entry: { a: root }\nroutes: { a: { parameters: { n: enum } } }"),
        Example(
            .invalidParameter,
            4,
            54,
            head + "entry: { a: root }\nroutes: { a: { parameters: { n: { type: int, values: [a] } } } }"
        ),
        Example(
            .invalidParameter,
            4,
            67,
            head + "entry: { a: root }\nroutes: { a: { path: 'a/{n}', parameters: { n: { type: int, from: m } } } }"
        ),
        Example(.pathAndQuery, 4, 32, head + "entry: { a: root }\nroutes: { a: { path: a, query: b } }"),
        Example(.unknownRoute, 3, 19, head + "entry: { a: root, b: root }\nroutes: { a: {} }"),
        Example(.unreachableRoute, 4, 18, head + "entry: { a: root }\nroutes: { a: {}, b: {} }"),
        Example(
            .ambiguousRoutes,
            3,
            19,
            head + "entry: { a: root, b: root }\nroutes: { a: { path: x }, b: { path: x } }"
        ),
        Example(
            .ambiguousRoutes,
            3,
            19,
            head + "entry: { a: root, b: root }\nroutes: { a: { path: '{x}' }, b: { path: '{y}' } }"
        ),
        Example(.containerCycle, 5, 27, head + "entry: { a: root }\nroutes:\n  a: { path: '', opens: { a: push } }"),
        Example(.rootOutsideEntry, 4, 25, head + "entry: { a: root }\nroutes: { a: { opens: { b: root } }, b: {} }"),
        Example(
            .dialogOpensRoutes,
            5,
            17,
            head + "entry: { a: root }\nroutes:\n  a: { opens: { b: alert } }\n  b: { opens: { a: push } }"
        ),
        Example(
            .initialNeedsParameter,
            5,
            17,
            head
                + "entry: { a: root }\nroutes:\n  a: { opens: { b: { presentation: tab, initial: true } } }\n  b: { path: 'b/{n}' }"
        ),
        Example(
            .initialConflict,
            5,
            58,
            head
                + "entry: { a: root }\nroutes:\n  a: { opens: { b: { presentation: tab, initial: true }, c: { presentation: tab, initial: true } } }\n  b: {}\n  c: {}"
        ),
        Example(
            .queryKeyConflict,
            5,
            27,
            head
                + "entry: { a: root }\nroutes:\n  a: { opens: { b: sheet, c: sheet } }\n  b: { query: k }\n  c: { query: k }"
        ),
        Example(
            .gateUnresolved,
            3,
            24,
            head
                + "gates: { signedInUser: /nowhere }\nentry: { a: root }\nroutes: { a: { authorizationLevel: signedInUser } }"
        ),
        Example(
            .gateTooHigh,
            3,
            24,
            head
                + "gates: { signedInUser: /a }\nentry: { a: root }\nroutes: { a: { authorizationLevel: signedInUser } }"
        ),
        Example(.missingGate, 4, 11, head + "entry: { a: root }\nroutes: { a: { authorizationLevel: signedInUser } }"),
        Example(
            .reservedPath,
            3,
            10,
            "version: 1\norigins: [{ scheme: https, hosts: [a.com] }]\nentry: { v1: root }\nroutes: { v1: {} }"
        ),
        Example(
            .tooLarge,
            4,
            0,
            head + "entry: { a: root }\nroutes: " + String(repeating: "{ a: ", count: 80) + "{}"
                + String(repeating: "}", count: 80)
        ),
    ]

    private func issues(_ yaml: String) -> [CatalogIssue] {
        do throws(CatalogError) {
            _ = try CatalogLoader.load(Array(yaml.utf8), file: "test.yaml")
            return []
        } catch {
            return error.issues
        }
    }

    @Test(arguments: examples)
    func `a mistake is reported at its place, with a hint`(_ example: Example) throws {
        let issues = issues(example.yaml)
        let found = issues.filter { $0.code == example.code }
        let issue = try #require(found.first, "\(issues)")
        #expect(issue.location.file == "test.yaml")
        #expect(issue.location.line == example.line, "\(issue)")
        if example.column > 0 { #expect(issue.location.column == example.column, "\(issue)") }
        #expect(!issue.message.isEmpty && !issue.hint.isEmpty)
    }

    @Test func `every code has an example`() {
        let missing = Set(CatalogIssue.Code.allCases).subtracting(Self.examples.map(\.code))
        #expect(missing.isEmpty, "\(missing)")
    }
}
