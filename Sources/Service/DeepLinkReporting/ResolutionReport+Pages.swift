import DeepLinkCore
import DeepLinkFormats

extension ResolutionReport {
    /// The counts of pages and redirects for visitors of links, separate from resolutions.
    package struct Pages: Sendable {
        /// The counts since the server started.
        package internal(set) var total: PageCounts

        /// The counts of the last 60 minutes.
        package internal(set) var lastHour: PageCounts

        /// The most frequent unmatched links of visitors.
        package internal(set) var unmatched: [FrequentTexts.Entry]

        /// The number of all unmatched links of visitors.
        package internal(set) var unmatchedTotal: Int
    }

    /// The counts of pages and redirects in a period.
    package struct PageCounts: Sendable {
        /// The numbers of pages, previews, redirects and links that do not resolve.
        package internal(set) var sum: SIMD4<Int>

        /// The pages, previews and redirects of each route.
        package internal(set) var routes: [RouteKey: SIMD4<Int>]

        /// Creates the counts of a tally, with the names of its routes.
        init(_ tally: PageTally, names: [RouteKey]) {
            sum = tally.sum
            routes = [:]
            for (number, counts) in tally.routes where names.indices.contains(number) { routes[names[number]] = counts }
        }
    }
}

extension ResolutionReport.Pages {
    /// The names of the counts, in their order.
    private static let names = PageVisit.Outcome.allCases.map(\.rawValue)

    /// Writes the counts as the member `pages`.
    func write(to writer: inout JSONWriter) {
        writer.member("pages") { writer in
            for (name, counts) in [("total", total), ("lastHour", lastHour)] {
                writer.member(name) { writer in
                    Self.write(counts.sum, count: 4, to: &writer)
                    writer.routes(counts.routes) { Self.write($1, count: 3, to: &$0) }
                }
            }
            writer.unmatched(unmatched, total: unmatchedTotal)
        }
    }

    private static func write(_ counts: SIMD4<Int>, count: Int, to writer: inout JSONWriter) {
        writer.numbers(names.prefix(count).enumerated().map { lane, name in (name, counts[lane]) })
    }

    /// Reads the member `pages` of a report.
    init?(_ json: JSONValue?) {
        guard case .object(let members)? = json, let total = ResolutionReport.PageCounts(members["total"]),
            let lastHour = ResolutionReport.PageCounts(members["lastHour"]),
            case .object(let unmatched)? = members["unmatched"]
        else { return nil }
        self.total = total
        self.lastHour = lastHour
        self.unmatched = unmatched.entries
        unmatchedTotal = unmatched.count("total")
    }

    /// Adds the counts of another server.
    mutating func add(_ other: ResolutionReport.Pages) {
        total.add(other.total)
        lastHour.add(other.lastHour)
        unmatched = ResolutionReport.merged(unmatched, other.unmatched)
        unmatchedTotal += other.unmatchedTotal
    }

    fileprivate static func counts(_ members: JSONObject) -> SIMD4<Int> {
        var counts = SIMD4<Int>()
        for (lane, name) in names.enumerated() { counts[lane] = members.count(name) }
        return counts
    }
}

extension ResolutionReport.PageCounts {
    fileprivate init?(_ json: JSONValue?) {
        guard case .object(let members)? = json else { return nil }
        sum = ResolutionReport.Pages.counts(members)
        routes = [:]
        for route in members.objects("routes") {
            routes[route.routeKey] = ResolutionReport.Pages.counts(route)
        }
    }

    fileprivate mutating func add(_ other: ResolutionReport.PageCounts) {
        sum &+= other.sum
        routes.merge(other.routes, uniquingKeysWith: &+)
    }
}
