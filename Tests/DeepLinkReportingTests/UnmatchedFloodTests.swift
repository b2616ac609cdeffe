import DeepLinkCatalog
import DeepLinkCore
import DeepLinkFormats
import DeepLinkReporting
import Foundation
import Testing

/// Links that nothing matches, each another one; `WAYMARK_TEST_FULL=1` sends a million.
@Suite
struct UnmatchedFloodTests {
    private static let count =
        ProcessInfo.processInfo.environment["WAYMARK_TEST_FULL"] != nil ? 1_000_000 : 40_000

    private static let wordCount = 40

    /// A catalog whose links have one segment: all of two or more are unmatched, and told by its own words.
    private static func catalog() throws -> RouteCatalog {
        let names = (0..<wordCount).map { "w\($0)" }
        let text = """
            version: 1
            origins: [{ scheme: shop, hosts: [shop.example] }]
            entry: { \(names.map { "\($0): root" }.joined(separator: ", ")) }
            routes: { \(names.map { "\($0): {}" }.joined(separator: ", ")) }

            """
        return try CatalogLoader.load(Array(text.utf8), file: "words.yaml")
    }

    /// The bytes of this process in memory.
    private static func residentByteCount() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        return try #require(Int(status.split(separator: " ")[1])) * Int(getpagesize())
    }

    /// A path of so many words, another one for each number.
    private static func path(_ number: Int, length: Int) -> String {
        var (rest, path) = (number, "")
        for _ in 0..<length {
            path += "/w\(rest % wordCount)"
            rest /= wordCount
        }
        return path
    }

    @Test
    func `memory stays as it is, and the most frequent are right within the bound`() throws {
        let catalog = try Self.catalog()
        let counts = ResolutionCounts(since: Timestamp(millisecondsSinceEpoch: 0))
        let time = Timestamp(millisecondsSinceEpoch: 1_795_000_000_000)
        var truth: [String: Int] = [:]
        var random: UInt64 = 7
        func next() -> Int {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(random >> 33)
        }
        var (before, sent) = (0, 0)
        for number in 0..<Self.count {
            // A third are a hundred links, the first of them the most frequent; the rest comes once each.
            let isFrequent = number % 3 == 0
            let text = isFrequent ? Self.path(min(next() % 100, next() % 100), length: 2) : Self.path(number, length: 6)
            let request = ResolutionRequest(link: try DeepLink("shop://shop.example\(text)?q=\(number)"))
            if isFrequent { truth["shop://shop.example\(text)?…=…", default: 0] += 1 }
            counts.observe(
                LinkEvent(.failed(.noMatchingRoute, unmatched: nil), of: request, catalog: catalog, at: time)
            )
            sent += 1
            // By then there is no more room for others.
            if number == Self.count / 5 { before = try Self.residentByteCount() }
        }
        let grown = try Self.residentByteCount() - before
        // Tests that run beside this one have memory of their own; a million links would take a hundred times as much.
        if Self.count == 1_000_000 { print("\(sent) different links: \(grown / 1024) KiB more since a fifth of them") }
        #expect(grown < 64 << 20)
        let report = counts.report(at: time)
        #expect(report.unmatchedTotal == sent)
        #expect(report.unmatched.count == ResolutionReport.unmatchedCount)
        let bound = sent / ResolutionCounts.unmatchedCapacity
        for entry in report.unmatched {
            #expect(entry.error <= bound)
            let actual = truth[entry.text.string] ?? 1
            #expect(entry.count >= actual && entry.count - entry.error <= actual, "\(entry)")
        }
        let told = Set(report.unmatched.map(\.text.string))
        for (text, actual) in truth where actual > 2 * bound { #expect(told.contains(text), "\(text): \(actual)") }
    }
}
