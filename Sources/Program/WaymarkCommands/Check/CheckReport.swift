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

    /// The number of links with a sign that they were not filled in.
    private var warningCount: Int { results.count { $0.warning != nil } }

    /// A row for each link, and a summary.
    var lines: [String] {
        var table = TextTable()
        for result in results {
            let status = result.failure != nil ? "FAIL" : result.warning != nil ? "warn" : "ok"
            let text = result.failure ?? result.outcome
            table.append([
                status, "\(result.line)", result.link, result.warning.map { "\(text); \($0.message)" } ?? text,
            ])
        }
        return table.lines + [summary] + (coverageLine.map { [$0] } ?? [])
    }

    private var summary: String {
        let links = results.count.counted("link")
        let counts = "\(links): \(results.count - failureCount) passed, \(failureCount) failed"
        return warningCount == 0 ? counts : "\(counts), \(warningCount) with a warning"
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
                ("warned", warningCount),
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
                    for case (let key, let text?) in [
                        ("failure", result.failure), ("warning", result.warning?.message),
                    ] {
                        writer.key(key)
                        writer.string(text)
                    }
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
            let failure = result.failure.map {
                "\n    <failure message=\"\(XMLText.escaped($0))\">line \(result.line)</failure>"
            }
            let warning = result.warning.map { "\n    <system-err>\(XMLText.escaped($0.message))</system-err>" }
            guard failure != nil || warning != nil else { return head + "/>" }
            return head + ">\(failure ?? "")\(warning ?? "")\n  </testcase>"
        }
        let counts = "name=\"\(XMLText.escaped(name))\" tests=\"\(results.count)\" failures=\"\(failureCount)\""
        return
            (["<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<testsuite \(counts)>"] + cases
            + (coverageLine.map { ["  <system-out>\(XMLText.escaped($0))</system-out>"] } ?? []) + ["</testsuite>"])
            .joined(separator: "\n")
    }
}
