import DeepLinkCore
import Foundation
import Synchronization
import Testing
import WaymarkTestSupport

@testable import DeepLinkCatalog

/// Tests of the cost of reading a catalog, for any content.
@Suite(.serialized) struct CatalogCostTests {
    private static let head = "version: 1\norigins: [{ scheme: x, authority: ignore }]\n"

    /// Routes beside each other whose paths are words of enumerations, each with words of its own.
    private static func siblings(_ count: Int, words: Int) -> String {
        let opens = (0..<count).map { "r\($0): push" }.joined(separator: ", ")
        let routes = (0..<count)
            .map { route in
                let list = (0..<words).map { "e\(route)x\($0)" }.joined(separator: ", ")
                return "  r\(route): { path: \"{v}\", parameters: { v: { type: enum, values: [\(list)] } } }\n"
            }
            .joined()
        return head + "entry: { h: root }\nroutes:\n  h: { path: \"\", opens: { \(opens) } }\n\(routes)"
    }

    @Test func `words of siblings are compared as sets`() throws {
        let (few, many) = (Array(Self.siblings(12, words: 60).utf8), Array(Self.siblings(12, words: 1_200).utf8))
        // Twenty times as many words take 20 times as long, and if each is compared with each, 400 times.
        let ratio = try CostRatio(limit: 80, count: 1) {
            _ = try CatalogLoader.load(many, file: "siblings.yaml")
        } over: {
            _ = try CatalogLoader.load(few, file: "siblings.yaml")
        }
        #expect(ratio.isWithinLimit, "\(ratio)")
    }

    @Test func `origins are compared by what distinguishes them`() throws {
        func text(_ count: Int) -> [UInt8] {
            let origins = (0..<count).map { "  - { scheme: https, hosts: [h\($0).example] }\n" }.joined()
            return Array("version: 1\norigins:\n\(origins)entry: { h: root }\nroutes: { h: {} }\n".utf8)
        }
        let (few, many) = (text(100), text(1_600))
        // Sixteen times as many take 16 times as long, and where each is compared with each, 256 times.
        let ratio = try CostRatio(limit: 64, count: 2) {
            _ = try CatalogLoader.load(many, file: "origins.yaml")
        } over: {
            _ = try CatalogLoader.load(few, file: "origins.yaml")
        }
        print("cost: reading origins: \(ratio)")
        #expect(ratio.isWithinLimit, "\(ratio)")
    }

    @Test func `words that two siblings share are found`() throws {
        let text = Self.siblings(12, words: 100).replacing("e7x99", with: "e3x1")
        let error = #expect(throws: CatalogError.self) {
            try CatalogLoader.load(Array(text.utf8), file: "siblings.yaml")
        }
        #expect(error?.issues.map(\.code) == [.ambiguousRoutes])
    }

    @Test func `containers inside each other are bounded by the edges`() throws {
        let steps = (0..<20)
            .map { step in
                let next = step == 19 ? "end: push" : "a\(step + 1): push, b\(step + 1): push"
                return
                    "  a\(step): { path: \"\", opens: { \(next) } }\n  b\(step): { path: \"\", opens: { \(next) } }\n"
            }
            .joined()
        let text = Self.head + "entry: { a0: root, b0: root }\nroutes:\n\(steps)  end: {}\n"
        let error = #expect(throws: CatalogError.self) { try CatalogLoader.load(Array(text.utf8), file: "steps.yaml") }
        let issue = try #require(error?.issues.first { $0.code == .tooLarge })
        // 100,000, and 100 for each of 80 edges.
        #expect(issue.message.contains("more than 108000 paths"), "\(issue.message)")
    }

    @Test func `reading stops wherever it is asked to`() throws {
        let texts = [
            Self.siblings(20, words: 20),
            Self.head + "entry: { h: root }\nroutes:\n  h: { path: \"\", opens: { "
                + (0..<1_000).map { "r\($0): push" }.joined(separator: ", ") + " } }\n"
                + (0..<1_000).map { "  r\($0): {}\n" }.joined(),
        ]
        for text in texts {
            /// Reads until so many questions were asked, and returns how many were.
            func questions(until last: Int) -> (count: Int, issues: [CatalogIssue]) {
                let count = Mutex(0)
                let interruption = Interruption {
                    count.withLock { count in
                        count += 1
                        return count > last
                    }
                }
                do throws(CatalogError) {
                    _ = try CatalogLoader.load(Array(text.utf8), file: "x.yaml", interruption: interruption)
                    return (count.withLock { $0 }, [])
                } catch {
                    return (count.withLock { $0 }, error.issues)
                }
            }
            let all = questions(until: .max)
            #expect(all.issues.isEmpty && all.count > 8)
            for last in stride(from: 0, to: all.count, by: max(1, all.count / 12)) {
                let stopped = questions(until: last)
                #expect(stopped.issues.contains { $0.message.contains("given up") }, "after \(last): \(stopped)")
                #expect(stopped.count <= last + 16, "after \(last) of \(all.count): \(stopped.count)")
            }
        }
    }

    @Test(arguments: [("!!binary YXBw", "!!binary"), ("!!int 1", "!!int"), ("!own x", "!own"), ("!!set {}", "!!set")])
    func `a tag that means nothing is refused`(_ value: String, _ name: String) throws {
        let text = "version: 1\norigins: [{ scheme: \(value) }]\nentry: { h: root }\nroutes:\n  h: {}\n"
        let error = #expect(throws: CatalogError.self) { try CatalogLoader.load(Array(text.utf8), file: "tags.yaml") }
        let issue = try #require(error?.issues.first)
        #expect(issue.message.contains("the tag `\(name)`"), "\(issue.message)")
        #expect(issue.location.line == 2 && issue.location.column == 21)
    }

    @Test func `a value with the tag of a text is one`() throws {
        let text = "version: 1\norigins: [{ scheme: !!str app }]\nentry: { h: root }\nroutes:\n  h: {}\n"
        #expect(try CatalogLoader.load(Array(text.utf8), file: "tags.yaml").origins.map(\.scheme) == ["app"])
    }
}
