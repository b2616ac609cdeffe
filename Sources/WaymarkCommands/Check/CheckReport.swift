import DeepLinkCore
import DeepLinkFormats

/// The results of a list of links, for people, for programs and for CI servers.
struct CheckReport: WireBody {
    private let results: [CheckResult]

    /// The routes that the links reach, if requested.
    private let coverage: RouteCoverage?

    init(_ results: [CheckResult], coverage: RouteCoverage? = nil) {
        self.results = results
        self.coverage = coverage
    }

    /// The number of links that don't meet their expectations.
    var failureCount: Int { results.count { $0.failure != nil } }

    /// A row for each link, and a summary.
    var lines: [String] {
        var table = TextTable()
        for result in results {
            table.append([
                result.failure == nil ? "ok" : "FAIL", "\(result.line)", result.link, result.failure ?? result.outcome,
            ])
        }
        return table.lines + [summary] + (coverageLine.map { [$0] } ?? [])
    }

    private var summary: String {
        let links = results.count == 1 ? "1 link" : "\(results.count) links"
        return "\(links): \(results.count - failureCount) passed, \(failureCount) failed"
    }

    /// The routes that the links don't reach, in a line.
    private var coverageLine: String? {
        guard let coverage else { return nil }
        let missing = coverage.missing
        let counts = "\(coverage.routeCount - missing.count) of \(coverage.routeCount) routes reached"
        return missing.isEmpty ? counts : counts + "; no link reaches " + missing.joined(separator: ", ")
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            for (name, count) in [
                ("total", results.count), ("passed", results.count - failureCount), ("failed", failureCount),
            ] {
                writer.key(name)
                writer.number(count)
            }
            writer.key("results")
            writer.array(results) { writer, result in
                writer.object { writer in
                    writer.key("line")
                    writer.number(result.line)
                    writer.key("link")
                    writer.string(result.link)
                    writer.key("passed")
                    writer.value(.bool(result.failure == nil))
                    writer.key("outcome")
                    writer.string(result.outcome)
                    guard let failure = result.failure else { return }
                    writer.key("failure")
                    writer.string(failure)
                }
            }
            guard let coverage else { return }
            writer.key("coverage")
            writer.object { writer in
                writer.key("routes")
                writer.number(coverage.routeCount)
                writer.key("missing")
                writer.array(coverage.missing) { $0.string($1) }
            }
        }
    }

    /// Returns the report in JUnit's XML format for CI servers (github.com/testmoapp/junitxml), with a test case for
    /// each link.
    func junit(named name: String) -> String {
        let cases = results.map { result in
            let head = "  <testcase classname=\"\(XMLText.escaped(name))\" name=\"\(XMLText.escaped(result.link))\""
            guard let failure = result.failure else { return head + "/>" }
            return head + ">\n    <failure message=\"\(XMLText.escaped(failure))\">"
                + "line \(result.line)</failure>\n  </testcase>"
        }
        let counts = "name=\"\(XMLText.escaped(name))\" tests=\"\(results.count)\" failures=\"\(failureCount)\""
        return
            (["<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<testsuite \(counts)>"] + cases
            + (coverageLine.map { ["  <system-out>\(XMLText.escaped($0))</system-out>"] } ?? []) + ["</testsuite>"])
            .joined(separator: "\n")
    }
}
