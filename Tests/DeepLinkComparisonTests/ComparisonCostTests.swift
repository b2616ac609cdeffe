import DeepLinkCatalog
import DeepLinkComparison
import DeepLinkCore
import DeepLinkFormats
import Foundation
import Synchronization
import Testing
import WaymarkTestSupport

/// The cost of comparisons: linear in the catalog, and interrupted wherever they are.
@Suite(.serialized) struct ComparisonCostTests {
    /// A catalog of routes in groups, with a description each.
    private static func grouped(_ count: Int, description: String) throws -> RouteCatalog {
        let groups = count / 100
        func list(_ names: [String]) -> String { names.map { "\($0): push" }.joined(separator: ", ") }
        var text =
            "version: 1\norigins: [{ scheme: x, authority: ignore }]\nentry: { h: root }\nroutes:\n"
            + "  h: { path: \"\", opens: { \(list((0..<groups).map { "g\($0)" })) } }\n"
        for group in 0..<groups {
            text += "  g\(group): { opens: { \(list((group * 100..<group * 100 + 100).map { "r\($0)" })) } }\n"
        }
        for route in 0..<count { text += "  r\(route): { description: \(description) }\n" }
        return try CatalogLoader.load(Array(text.utf8), file: "grouped.yaml")
    }

    /// A catalog of routes beside each other.
    private static func flat(_ count: Int, prefix: String = "r") throws -> RouteCatalog {
        let opens = (0..<count).map { "\(prefix)\($0): push" }.joined(separator: ", ")
        let routes = (0..<count).map { "  \(prefix)\($0): { path: \"\(prefix)\($0)\" }\n" }.joined()
        let text =
            "version: 1\norigins: [{ scheme: x }]\nentry: { home: root }\nroutes:\n"
            + "  home: { path: \"\", opens: { \(opens) } }\n\(routes)"
        return try CatalogLoader.load(Array(text.utf8), file: "flat.yaml")
    }

    /// A catalog of many ways to one route.
    private static func listed(_ count: Int, description: String) throws -> RouteCatalog {
        let opens = (0..<count).map { "{ presentation: push, path: p\($0) }" }.joined(separator: ", ")
        let text =
            "version: 1\norigins: [{ scheme: x }]\nentry: { home: root }\nroutes:\n"
            + "  home: { path: \"\", opens: { r: [\(opens)] } }\n  r: { description: \(description) }\n"
        return try CatalogLoader.load(Array(text.utf8), file: "listed.yaml")
    }

    @Test(arguments: ["described", "emptied", "renamed", "listed"])
    func `comparing is linear in the catalog`(_ change: String) throws {
        func catalogs(_ count: Int) throws -> (old: RouteCatalog, new: RouteCatalog) {
            switch change {
            case "described": (try Self.grouped(count, description: "a"), try Self.grouped(count, description: "b"))
            case "emptied": (try Self.flat(count), try Self.flat(1))
            case "listed": (try Self.listed(count / 2, description: "a"), try Self.listed(count / 2, description: "b"))
            default: (try Self.flat(count), try Self.flat(count, prefix: "s"))
            }
        }
        let (few, many) = (try catalogs(200), try catalogs(3_200))
        // Sixteen times as many take 16 times as long, and if the cost grows with the square, 256 times.
        let ratio = try CostRatio(limit: 64, count: 2) {
            _ = try CatalogComparison(from: many.old, to: many.new)
        } over: {
            _ = try CatalogComparison(from: few.old, to: few.new)
        }
        print("cost: comparing, \(change): \(ratio)")
        #expect(ratio.isWithinLimit, "\(change): \(ratio)")
    }

    @Test func `a comparison stops wherever it is asked to`() throws {
        let (old, new) = (try Self.flat(50), try Self.grouped(100, description: "a"))
        /// Compares until so many questions were asked, and returns how many were.
        func questions(until last: Int) throws -> (count: Int, isStopped: Bool) {
            let count = Mutex(0)
            let interruption = Interruption {
                count.withLock { count in
                    count += 1
                    return count > last
                }
            }
            do throws(Interruption.Stop) {
                _ = try CatalogComparison(from: old, to: new, interruption: interruption, associations: associations)
                return (count.withLock { $0 }, false)
            } catch {
                return (count.withLock { $0 }, true)
            }
        }
        let all = try questions(until: .max)
        #expect(!all.isStopped && all.count > 3 * (50 + 100))
        for last in stride(from: 0, to: all.count, by: max(1, all.count / 40)) {
            let stopped = try questions(until: last)
            #expect(stopped.isStopped && stopped.count <= last + 4, "after \(last) of \(all.count): \(stopped)")
        }
    }

    @Test func `a list of findings is cut, and says so`() throws {
        let comparison = try CatalogComparison(from: try Self.flat(200), to: try Self.flat(1))
        func members(_ report: ComparisonReport) throws -> [String: Any] {
            try #require(try JSONSerialization.jsonObject(with: Data(report.json)) as? [String: Any])
        }
        let whole = try members(comparison.report())
        let count = try #require(whole["findings"] as? [Any]).count
        #expect(count > 190 && whole["omittedFindings"] == nil)
        let cut = try members(comparison.report(listing: 10))
        #expect((cut["findings"] as? [Any])?.count == 10)
        #expect(cut["omittedFindings"] as? Int == count - 10)
        let summary = try #require(cut["summary"] as? [String: Double])
        #expect(try #require(whole["summary"] as? [String: Double]) == summary)
    }
}
