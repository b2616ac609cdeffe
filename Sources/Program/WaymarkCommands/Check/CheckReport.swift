import DeepLinkCore
import DeepLinkFormats

/// The results of a list of links, for people, programs and CI servers.
struct CheckReport: WireBody {
    let results: [CheckResult]

    /// The routes that the links cover, if requested.
    let coverage: RouteCoverage?

    /// The number of links that don't meet their expectations.
    var failureCount: Int { results.count { $0.failure != nil } }

    /// The number of links with a sign of an unfilled placeholder.
    private var warningCount: Int { results.count { $0.warning != nil } }

    /// One row for each link, and a summary.
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

    /// The routes that no link covers, as one line.
    private var coverageLine: String? {
        guard let coverage else { return nil }
        let missing = coverage.missing
        let counts = "\(coverage.routeCount - missing.count) of \(coverage.routeCount) routes reached"
        return missing.isEmpty ? counts : counts + "; no link reaches " + missing.joined(separator: ", ")
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("total", results.count)
            writer.member("passed", results.count - failureCount)
            writer.member("failed", failureCount)
            writer.member("warned", warningCount)
            writer.member("results", array: results) { writer, result in
                writer.object { writer in
                    writer.member("line", result.line)
                    writer.member("link", result.link)
                    writer.member("passed", result.failure == nil)
                    writer.member("outcome", result.outcome)
                    writer.member("failure", ifPresent: result.failure)
                    writer.member("warning", ifPresent: result.warning?.message)
                }
            }
            guard let coverage else { return }
            writer.member("coverage") { writer in
                writer.member("routes", coverage.routeCount)
                writer.member("missing", texts: coverage.missing)
            }
        }
    }

    /// Returns the report in JUnit's XML format for CI servers (github.com/testmoapp/junitxml), with one test case for
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

/// The result of one link of a list.
struct CheckResult {
    /// The line of the file, from 1.
    let line: Int

    /// The link as written in the file.
    let link: String

    /// The difference from the expectation, or `nil` if it is met.
    let failure: String?

    /// The sign of an unfilled placeholder, or `nil` if the link has none.
    let warning: LinkWarning?

    /// The routes of the link's stack, or the code of its problem.
    let outcome: String
}

/// The routes of a catalog that the links of a file cover, at any level.
struct RouteCoverage {
    private let catalog: RouteCatalog
    private var reached: Set<ByteText> = []

    init(_ catalog: RouteCatalog) {
        self.catalog = catalog
    }

    /// Records the destinations of a link beyond all gates, in the newest app.
    ///
    /// A plan contains them. A denied link is resolved again at the highest level.
    mutating func note(_ request: ResolutionRequest, decision: Decision) {
        let plan: RoutePlan
        if case .resolution(.plan(let decided)) = decision.outcome {
            plan = decided
        } else if case .plan(let other) = resolve(request.asked(by: nil), permissions: .all, catalog: catalog) {
            plan = other
        } else {
            return
        }
        for destination in plan.stack { reached.insert(destination.route.bytewise) }
    }

    /// The number of routes that links can reach.
    var routeCount: Int { linkable.count }

    /// The names of the routes that no link reaches, in the order of the catalog.
    var missing: [String] { linkable.filter { !reached.contains($0.bytewise) } }

    /// The routes that a link can open.
    private var linkable: [String] {
        let children = Set(catalog.edges.lazy.filter(\.isLinkable).map(\.child))
        return catalog.routes.indices.filter(children.contains).map { catalog.routes[$0].name }
    }
}
