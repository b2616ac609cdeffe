package import DeepLinkCore
import DeepLinkFormats

/// The counts of requests to a server, or to several: the body of `GET /v1/report`.
package struct ResolutionReport: Sendable {
    /// A route under one version of the catalog.
    package struct RouteKey: Hashable, Sendable {
        /// The version of the catalog.
        package let catalogVersion: ByteText

        /// The route's name.
        package let route: ByteText
    }

    /// The counts of a time.
    package struct Counts: Sendable {
        /// For each route, the links whose user may go there, then those sent to the gate of each level.
        package internal(set) var routes: [RouteKey: SIMD4<Int>] = [:]

        /// The links that lead nowhere, by the code of the problem.
        package internal(set) var problems: [ByteText: Int] = [:]

        /// The number of times users were sent to the gate of each level.
        package internal(set) var gatesReached = SIMD4<Int>()

        /// The number of times users passed a gate, by the level that the link takes.
        package internal(set) var gatesPassed = SIMD4<Int>()
    }

    /// The outcomes of one hour.
    package struct Hour: Sendable {
        /// The beginning of the hour.
        package let start: Timestamp

        /// The links whose users may go there, those whose users were sent to a gate, those that lead nowhere.
        package internal(set) var counts: SIMD4<Int>
    }

    /// The maximum number of unmatched links that are reported.
    package static let unmatchedCount = 100

    /// The moment since which it is counted.
    package internal(set) var since: Timestamp

    /// The counts since then.
    package internal(set) var total: Counts

    /// The counts of the last hour.
    package internal(set) var lastHour: Counts

    /// The last hours, the oldest first.
    package internal(set) var hours: [Hour]

    /// The most frequent links that nothing matched, by the words that the catalog uses or many requests share.
    package internal(set) var unmatched: [FrequentTexts.Entry]

    /// All links that nothing matched.
    package internal(set) var unmatchedTotal: Int

    /// The number of lines that the resolution log has dropped; `nil` if there is no log.
    package internal(set) var droppedCount: Int?

    /// The counts of answers to visitors; `nil` if there were none.
    package internal(set) var pages: Pages?
}

extension ResolutionReport.Counts {
    /// Gives the routes of counts their names.
    init(_ tally: ResolutionTally, names: [ResolutionReport.RouteKey]) {
        for (number, counts) in tally.routes where names.indices.contains(number) { routes[names[number]] = counts }
        problems = tally.problems
        gatesReached = tally.gatesReached
        gatesPassed = tally.gatesPassed
    }

    /// The links whose users may go there, those whose users were sent to a gate, those that lead nowhere.
    package var outcomes: (resolved: Int, gated: Int, failed: Int) {
        let sum = routes.values.reduce(SIMD4<Int>(), &+)
        return (sum[0], sum[1] + sum[2] + sum[3], problems.values.reduce(0, +))
    }
}

extension ResolutionReport: WireBody {
    /// Writes the counts.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("since")
            writer.string(since.rfc3339)
            writer.key("total")
            writer.counts(total)
            writer.key("lastHour")
            writer.counts(lastHour)
            writer.key("hours")
            writer.array(hours) { writer, hour in
                writer.object { writer in
                    writer.key("hour")
                    writer.string(hour.start.rfc3339)
                    writer.numbers([
                        ("resolved", hour.counts[0]), ("gated", hour.counts[1]), ("failed", hour.counts[2]),
                    ])
                }
            }
            writer.key("unmatched")
            writer.object { writer in
                writer.numbers([("total", unmatchedTotal)])
                writer.key("links")
                writer.array(unmatched) { writer, entry in
                    writer.object { writer in
                        writer.key("link")
                        writer.string(entry.text.string)
                        writer.numbers([("count", entry.count), ("error", entry.error)])
                    }
                }
            }
            if let droppedCount {
                writer.key("log")
                writer.object { $0.numbers([("dropped", droppedCount)]) }
            }
            pages?.write(to: &writer)
        }
    }
}

extension JSONWriter {
    fileprivate mutating func numbers(_ members: [(String, Int)]) {
        for (name, number) in members {
            key(name)
            self.number(number)
        }
    }

    fileprivate mutating func counts(_ counts: ResolutionReport.Counts) {
        let outcomes = counts.outcomes
        object { writer in
            writer.numbers([
                ("resolved", outcomes.resolved), ("gated", outcomes.gated), ("failed", outcomes.failed),
            ])
            writer.key("routes")
            let routes = counts.routes.sorted {
                ($0.key.catalogVersion, $0.key.route) < ($1.key.catalogVersion, $1.key.route)
            }
            writer.array(routes) { writer, item in
                writer.object { writer in
                    writer.key("route")
                    writer.string(item.key.route.string)
                    writer.key("catalogVersion")
                    writer.string(item.key.catalogVersion.string)
                    writer.numbers([("resolved", item.value[0])])
                    writer.key("gated")
                    writer.object { writer in
                        for level in AuthorizationLevel.allCases where level > .none {
                            let count = item.value[Int(level.rawValue)]
                            if count > 0 { writer.numbers([(level.name, count)]) }
                        }
                    }
                }
            }
            writer.key("gates")
            writer.array(AuthorizationLevel.allCases.filter { $0 > .none }) { writer, level in
                writer.object { writer in
                    writer.key("level")
                    writer.string(level.name)
                    writer.numbers([
                        ("reached", counts.gatesReached[Int(level.rawValue)]),
                        ("passed", counts.gatesPassed[Int(level.rawValue)]),
                    ])
                }
            }
            writer.key("problems")
            writer.object { writer in
                writer.numbers(counts.problems.sorted { $0.key < $1.key }.map { ($0.key.string, $0.value) })
            }
        }
    }
}
