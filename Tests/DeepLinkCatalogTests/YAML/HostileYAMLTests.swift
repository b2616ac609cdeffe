import DeepLinkCatalog
import DeepLinkCore
import Foundation
import Testing
import WaymarkTestSupport

/// Tests with YAML that is made to be costly: to compare, or to expand.
@Suite(.serialized) struct HostileYAMLTests {
    /// Texts of the same size that `String` compares at different costs.
    enum Text: String, CaseIterable {
        /// Runs of combining marks of mixed class, which canonical ordering sorts in quadratic time.
        case marks

        /// The same, as escapes.
        case escapes

        /// Runs as long as they may be.
        case shortRuns

        /// Letters that decompose.
        case composed

        /// Returns the text in double quotes, of about this many bytes.
        func quoted(_ size: Int) -> String {
            let part =
                switch self {
                case .marks: "\u{301}\u{323}"
                case .escapes: "\\u0301\\u0323"
                case .shortRuns: "a" + String(repeating: "\u{301}\u{323}", count: 15)
                case .composed: "\u{1E69}"
                }
            return "\"a" + String(repeating: part, count: size / part.utf8.count) + "\""
        }
    }

    /// Catalogs with a place for a text: keys at every level, names, paths, values, patterns, words, hosts, descriptions.
    static let positions: [String] = [
        "@: 1\nversion: 1\norigins: [{ scheme: nav }]\nentry: { a: root }\nroutes: { a: {} }",
        "version: @\norigins: [{ scheme: nav }]\nentry: { a: root }\nroutes: { a: {} }",
        "version: 1\norigins: [{ scheme: @ }]\nentry: { a: root }\nroutes: { a: {} }",
        "version: 1\norigins: [{ scheme: nav, @: 1 }]\nentry: { a: root }\nroutes: { a: {} }",
        "version: 1\norigins: [{ scheme: nav, hosts: [@] }]\nentry: { a: root }\nroutes: { a: {} }",
        "version: 1\norigins: [{ scheme: nav, authority: @ }]\nentry: { a: root }\nroutes: { a: {} }",
        "version: 1\norigins: [{ scheme: nav, pathPrefix: @ }]\nentry: { a: root }\nroutes: { a: {} }",
        "version: 1\norigins: [{ scheme: nav }]\nplusIsSpace: @\nentry: { a: root }\nroutes: { a: {} }",
        "version: 1\norigins: [{ scheme: nav }]\ngates: { @: /a }\nentry: { a: root }\nroutes: { a: {} }",
        "version: 1\norigins: [{ scheme: nav }]\ngates: { premiumUser: @ }\nentry: { a: root }\nroutes: { a: {} }",
        "version: 1\norigins: [{ scheme: nav }]\nentry: { @: root }\nroutes: { a: {} }",
        "version: 1\norigins: [{ scheme: nav }]\nentry: { @: root }\nroutes: { @: {} }",
        "version: 1\norigins: [{ scheme: nav }]\nentry: { a: @ }\nroutes: { a: {} }",
        "version: 1\norigins: [{ scheme: nav }]\nentry: { a: { presentation: @ } }\nroutes: { a: {} }",
        "version: 1\norigins: [{ scheme: nav }]\nentry: { a: { presentation: root, @: 1 } }\nroutes: { a: {} }",
        route("@: 1"), route("path: @"), route("path: @, aliases: [@]"), route("query: @"), route("description: @"),
        route("authorizationLevel: @"), route("opens: { @: push }"), route("opens: { a: @ }"),
        route("parameters: { @: int }"), route("parameters: { p: @ }"), route("parameters: { p: [@] }"),
        route("parameters: { p: { type: int, @: 1 } }"), route("parameters: { p: { type: int, from: @ } }"),
        route("parameters: { p: { type: int, take: @ } }"), route("parameters: { p: { type: string, default: @ } }"),
        route("parameters: { p: { type: string, pattern: @ } }"), route("parameters: { p: { type: int, min: @ } }"),
        route("parameters: { p: { type: enum, values: [@, @] } }"),
        route("parameters: { p: { type: enum, values: [b, @] } }"),
        route("parameters: { p: { type: object, fields: { @: int } } }"),
    ]

    private static func route(_ declaration: String) -> String {
        "version: 1\norigins: [{ scheme: nav }]\nentry: { a: root }\nroutes:\n  a: { \(declaration) }"
    }

    @Test(arguments: Text.allCases)
    func `no text costs more than fifty times a plain one of its size, wherever it stands`(_ text: Text) {
        let size = Effort.size(100_000)
        for position in Self.positions {
            func load(_ text: String) -> () -> Void {
                let bytes = Array(position.replacing("@", with: text).utf8)
                return { _ = try? CatalogLoader.load(bytes, file: "t") }
            }
            let plain = load("\"" + String(repeating: "a", count: size) + "\"")
            let ratio = CostRatio(of: load(text.quoted(size)), over: plain)
            #expect(ratio.isWithinLimit, "\(position): \(ratio)")
        }
    }

    @Test(arguments: [
        ("\u{301}", 30, true), ("\u{301}", 31, false), ("\\u0301", 30, true), ("\\u0301", 31, false),
        ("\\U00000301", 31, false),
        // A mark that decomposes into two, and a starter that decomposes into marks.
        ("\u{344}", 15, true), ("\u{344}", 16, false), ("\u{F73}", 16, false),
    ])
    func `at most thirty combining characters stand in a row`(_ mark: String, _ count: Int, _ isSound: Bool) {
        let yaml = Self.route("description: \"a" + String(repeating: mark, count: count) + "\"")
        do throws(CatalogError) {
            _ = try CatalogLoader.load(Array(yaml.utf8), file: "t")
            #expect(isSound)
        } catch {
            #expect(!isSound, "\(error)")
            #expect(error.issues.map(\.code) == [.invalidValue])
            #expect(error.issues.first?.location.line == 5)
        }
    }

    @Test func `line breaks in a scalar join no runs unseen`() {
        let marks = String(repeating: "\u{301}", count: 20)
        let yaml = Self.route("description: \"a\(marks)\\\n    \(marks)\"")
        #expect(throws: CatalogError.self) { try CatalogLoader.load(Array(yaml.utf8), file: "t") }
    }

    @Test func `a thousand routes that share a thousand edges by an alias are refused while they are read`() {
        let edges = (0..<1_000).map { "r\($0): push" }.joined(separator: ", ")
        let routes = (1..<1_000).map { "r\($0): { opens: *o }" }.joined(separator: ", ")
        let yaml =
            "version: 1\norigins: [{ scheme: nav }]\nentry: { r0: root }\n"
            + "routes: { r0: { opens: &o { \(edges) } }, \(routes) }\n"
        let error = #expect(throws: CatalogError.self) { try CatalogLoader.load(Array(yaml.utf8), file: "t") }
        #expect(error?.issues.map(\.code) == [.tooLarge])
        #expect(error?.issues.first?.message.contains("aliases") == true)
        // Not at its end: the twentieth use is too much.
        #expect((error?.issues.first?.location.column ?? .max) < yaml.utf8.count / 2)
    }

    @Test func `a small part may be shared by hundreds of routes`() throws {
        let routes = (0..<500).map { "  r\($0): { path: \"r\($0)/{id}\", parameters: *p }\n" }.joined()
        let entry = (0..<500).map { "r\($0): root" }.joined(separator: ", ")
        let yaml =
            "version: 1\norigins: [{ scheme: nav }]\nentry: { \(entry) }\nroutes:\n"
            + "  first: { path: \"first/{id}\", parameters: &p { id: { type: string, max: 9, pattern: \"[a-z]+\" } } }\n"
            + routes
        let sound = yaml.replacing("entry: { ", with: "entry: { first: root, ")
        #expect(try CatalogLoader.load(Array(sound.utf8), file: "t").routes.count == 501)
    }

    @Test func `a bomb of aliases in a key is refused like any other`() {
        var yaml = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1...9 {
            let items = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
            yaml += "? &a\(level) [\(items)]\n: 1\n"
        }
        let error = #expect(throws: CatalogError.self) { try CatalogLoader.load(Array(yaml.utf8), file: "bomb") }
        #expect(error?.issues.contains { $0.code == .tooLarge } == true)
    }

    @Test func `a long key behind many aliases is repeated in no message`() {
        let uses = Array(repeating: "*a", count: 5_000).joined(separator: ", ")
        let key = String(repeating: "k", count: 50_000)
        let yaml = "x: &a { \(key): 1 }\nversion: 1\norigins: [\(uses)]\nentry: { a: root }\nroutes: { a: {} }"
        let error = #expect(throws: CatalogError.self) { try CatalogLoader.load(Array(yaml.utf8), file: "t") }
        #expect((error?.issues ?? []).allSatisfy { $0.message.utf8.count < 2_000 && $0.hint.utf8.count < 2_000 })
    }
}
