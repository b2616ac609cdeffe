package import DeepLinkCore
import DeepLinkFormats

/// The counts of requests to one or several servers, the body of `GET /v1/report`.
package struct ResolutionReport: Sendable {
    /// A route in a version of the catalog.
    package struct RouteKey: Hashable, Sendable {
        /// The version of the catalog that has the route.
        package let catalogVersion: ByteText

        /// The route's name.
        package let route: ByteText
    }

    /// The numbers of resolved and gated links to a route.
    package struct RouteCounts: Sendable {
        /// The number of resolved links.
        package internal(set) var resolved: Int

        /// The number of gated links, by the name of the gate's level or grant.
        package internal(set) var gated: [ByteText: Int] = [:]

        /// The number of all gated links.
        package var gatedCount: Int { gated.values.reduce(0, +) }
    }

    /// The numbers of users that reached a gate and passed it.
    package struct GateCounts: Hashable, Sendable {
        /// The name of the level or the grant that the gate gives.
        package let name: ByteText

        /// Whether the gate gives a grant.
        package let givesGrant: Bool

        /// The number of times a link was stopped by the gate.
        package internal(set) var reached = 0

        /// The number of times users passed a gate with a link that requires the level or the grant.
        package internal(set) var passed = 0
    }

    /// The counts of a period.
    package struct Counts: Sendable {
        /// The counts of each route.
        package internal(set) var routes: [RouteKey: RouteCounts] = [:]

        /// The number of failed links, by problem code.
        package internal(set) var problems: [ByteText: Int] = [:]

        /// The counts of the gates: of levels, the lowest first, then of grants, and then of former catalogs.
        package internal(set) var gates: [GateCounts] = []
    }

    /// The outcomes of one hour.
    package struct Hour: Sendable {
        /// The beginning of the hour.
        package let start: Timestamp

        /// The numbers of resolved, gated and failed links.
        package internal(set) var counts: SIMD4<Int>
    }

    /// The maximum number of reported unmatched links.
    package static let unmatchedCount = 100

    /// The time at which counting began.
    package internal(set) var since: Timestamp

    /// The counts since that time.
    package internal(set) var total: Counts

    /// The counts of the last 60 minutes.
    package internal(set) var lastHour: Counts

    /// The last hours, the oldest first.
    package internal(set) var hours: [Hour]

    /// The most frequent unmatched links, with only the words that the catalog uses or many requests share.
    package internal(set) var unmatched: [FrequentTexts.Entry]

    /// The number of all unmatched links.
    package internal(set) var unmatchedTotal: Int

    /// The number of lines that the resolution log has dropped, or `nil` without a log.
    package internal(set) var droppedCount: Int?

    /// The counts of pages and redirects for visitors, or `nil` if there were none.
    package internal(set) var pages: Pages?
}

extension ResolutionReport.Counts {
    /// Creates the counts of a tally, with the names of routes, levels and grants.
    init(_ tally: ResolutionTally, of counted: CountedRoutes, names: CountedNames) {
        for level in names.levels.gated { _ = place(of: names.levels.text(of: level)) }
        for grant in names.grants.all { _ = place(of: names.grants.text(of: grant), givesGrant: true) }
        for (number, counts) in tally.routes where counted.names.indices.contains(number) {
            let ladder = counted.ladders[counted.ladderNumbers[number]].levels
            var route = ResolutionReport.RouteCounts(resolved: counts[0])
            for level in ladder.gated where counts[Int(level.rank)] > 0 {
                let name = ladder.text(of: level)
                route.gated[name.bytewise] = counts[Int(level.rank)]
                gates[place(of: name)].reached += counts[Int(level.rank)]
            }
            routes[counted.names[number]] = route
        }
        for (gate, count) in tally.gatedByGrant where counted.names.indices.contains(gate.owner) {
            let name = counted.ladders[counted.ladderNumbers[gate.owner]].grants.text(of: gate.grant)
            let key = counted.names[gate.owner]
            routes[key, default: ResolutionReport.RouteCounts(resolved: 0)].gated[name.bytewise, default: 0] += count
            gates[place(of: name, givesGrant: true)].reached += count
        }
        for (number, counts) in tally.gatesPassed {
            let ladder = counted.ladders[number].levels
            for level in ladder.gated where counts[Int(level.rank)] > 0 {
                gates[place(of: ladder.text(of: level))].passed += counts[Int(level.rank)]
            }
        }
        for (gate, count) in tally.grantsPassed {
            let name = counted.ladders[gate.owner].grants.text(of: gate.grant)
            gates[place(of: name, givesGrant: true)].passed += count
        }
        problems = tally.problems
    }

    /// Returns the index in ``gates`` for a level or a grant, after adding it if it is missing.
    mutating func place(of name: String, givesGrant: Bool = false) -> Int {
        let name = name.bytewise
        if let place = gates.firstIndex(where: { $0.name == name && $0.givesGrant == givesGrant }) { return place }
        gates.append(ResolutionReport.GateCounts(name: name, givesGrant: givesGrant))
        return gates.count - 1
    }

    /// The numbers of resolved, gated and failed links.
    package var outcomes: (resolved: Int, gated: Int, failed: Int) {
        let (resolved, gated) = routes.values.reduce((0, 0)) { ($0.0 + $1.resolved, $0.1 + $1.gatedCount) }
        return (resolved, gated, problems.values.reduce(0, +))
    }
}

extension ResolutionReport: WireBody {
    /// Writes the report as a JSON object.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("since", since.rfc3339)
            writer.key("total")
            writer.counts(total)
            writer.key("lastHour")
            writer.counts(lastHour)
            writer.member("hours", array: hours) { writer, hour in
                writer.object { writer in
                    writer.member("hour", hour.start.rfc3339)
                    writer.numbers([
                        ("resolved", hour.counts[0]), ("gated", hour.counts[1]), ("failed", hour.counts[2]),
                    ])
                }
            }
            writer.unmatched(unmatched, total: unmatchedTotal)
            if let droppedCount { writer.member("log") { $0.numbers([("dropped", droppedCount)]) } }
            pages?.write(to: &writer)
        }
    }
}

extension JSONWriter {
    /// Writes the most frequent unmatched links as the member `unmatched`.
    mutating func unmatched(_ links: [FrequentTexts.Entry], total: Int) {
        member("unmatched") { writer in
            writer.numbers([("total", total)])
            writer.member("links", array: links) { writer, entry in
                writer.object { writer in
                    writer.member("link", entry.text.string)
                    writer.numbers([("count", entry.count), ("error", entry.error)])
                }
            }
        }
    }

    /// Writes whole numbers as members of the current object.
    mutating func numbers(_ members: [(String, Int)]) {
        for (name, number) in members {
            key(name)
            self.number(number)
        }
    }

    /// Writes the counts of routes as the member `routes`, by version and name.
    mutating func routes<Count>(
        _ routes: [ResolutionReport.RouteKey: Count],
        write: (inout JSONWriter, Count) -> Void
    ) {
        let sorted = routes.sorted {
            ($0.key.catalogVersion, $0.key.route) < ($1.key.catalogVersion, $1.key.route)
        }
        member("routes", array: sorted) { writer, item in
            writer.object { writer in
                writer.member("route", item.key.route.string)
                writer.member("catalogVersion", item.key.catalogVersion.string)
                write(&writer, item.value)
            }
        }
    }

    fileprivate mutating func counts(_ counts: ResolutionReport.Counts) {
        let outcomes = counts.outcomes
        object { writer in
            writer.numbers([
                ("resolved", outcomes.resolved), ("gated", outcomes.gated), ("failed", outcomes.failed),
            ])
            writer.routes(counts.routes) { writer, route in
                writer.numbers([("resolved", route.resolved)])
                writer.member("gated") { writer in
                    var gated = route.gated
                    for gate in counts.gates {
                        guard let count = gated.removeValue(forKey: gate.name), count > 0 else { continue }
                        writer.numbers([(gate.name.string, count)])
                    }
                }
            }
            writer.member("gates", array: counts.gates) { writer, gate in
                writer.object { writer in
                    writer.member(gate.givesGrant ? "grant" : "level", gate.name.string)
                    writer.numbers([("reached", gate.reached), ("passed", gate.passed)])
                }
            }
            writer.member("problems") { writer in
                writer.numbers(counts.problems.sorted { $0.key < $1.key }.map { ($0.key.string, $0.value) })
            }
        }
    }
}
