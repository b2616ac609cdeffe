import DeepLinkHTTP
import DeepLinkStorage
import Foundation
import Testing
import WaymarkTestSupport

@testable import WaymarkCommands
@testable import WaymarkServer

/// Tests of the page about metrics, the alerts and the dashboard: they name the metrics that there are.
@Suite struct MetricsPageTests {
    /// The descriptions of all metrics, by their names.
    private static let descriptions: [String: String] = {
        let all =
            ServerMetric.allCases.map { ($0.rawValue, $0.help) } + ServiceMetric.allCases.map { ($0.rawValue, $0.help) }
            + StoreMetric.allCases.map { ($0.rawValue, $0.help) }
        return Dictionary(uniqueKeysWithValues: all)
    }()

    @Test func `the page has a line for each metric, with its type and its description`() throws {
        let rows = try Page("docs/reference/metrics.md").prose.filter { $0.hasPrefix("| `") }
            .map { row in row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
        let described = rows.map { ($0[0].trimmingCharacters(in: ["`"]), $0[3]) }
        #expect(described.count == Self.descriptions.count)
        #expect(Dictionary(described) { $1 } == Self.descriptions)
        for row in rows {
            #expect((row[1] == "counter") == row[0].hasSuffix("_total`"), "\(row)")
        }
    }

    @Test(arguments: ["alerts.yaml", "dashboard.json"])
    func `a sample asks for metrics that there are`(_ file: String) throws {
        let text = String(decoding: try Checkout.bytes("Config/deploy/\(file)"), as: UTF8.self)
        let names = text.matches(of: /(?:waymark|process)_[a-z_]+/).map { String($0.0) }
        #expect(names.count > 10)
        for name in Set(names) {
            let base = name.replacing(/_(bucket|sum|count)$/, with: "")
            #expect(Self.descriptions[name] != nil || Self.descriptions[base] != nil, "\(name)")
        }
    }

    @Test func `the guide has a line for each alert, with its severity`() throws {
        let rules = String(decoding: try Checkout.bytes("Config/deploy/alerts.yaml"), as: UTF8.self)
        let alerts = rules.matches(of: /- alert: (\w+)(?s:.*?)severity: (\w+)/).map { "\($0.1) \($0.2)" }
        let rows = try Page("docs/guides/operate/operations.md").prose
            .compactMap { row in
                row.firstMatch(of: /^\| `(Waymark\w+)` \| (\w+) \|/).map { "\($0.1) \($0.2)" }
            }
        #expect(alerts.count > 15 && rows.sorted() == alerts.sorted())
    }
}
