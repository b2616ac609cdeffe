package import DeepLinkCore
import Synchronization

/// What was asked of a server since it started, and in the last hour; never waits, and does not grow with what is asked.
package final class ResolutionCounts: Sendable {
    /// The links that nothing matched and that are told apart: each whose share is more than one in so many is among them.
    package static let unmatchedCapacity = 2000

    /// The minutes of the last hour.
    private static let minuteCount: Int64 = 60

    /// The hours that are told.
    private static let hourCount: Int64 = 24

    private struct Minute {
        var number: Int64 = -1
        var tally = ResolutionTally()
    }

    private struct Hour {
        var number: Int64 = -1
        var counts = SIMD4<Int>()
    }

    private struct State {
        var routes = CountedRoutes()
        var total = ResolutionTally()
        var minutes = Array(repeating: Minute(), count: Int(ResolutionCounts.minuteCount))
        var hours = Array(repeating: Hour(), count: Int(ResolutionCounts.hourCount))
        var unmatched = FrequentTexts(capacity: ResolutionCounts.unmatchedCapacity)
        var words: (version: ByteText, words: CatalogWords)?

        /// Counts a resolution of a minute; `masked` is the link, where nothing matched it.
        mutating func note(_ event: ResolutionEvent, _ masked: ByteText?, _ minute: Int64) {
            let place = Int(minute % ResolutionCounts.minuteCount)
            if minutes[place].number != minute { minutes[place] = Minute(number: minute) }
            let hourPlace = Int(minute / 60 % ResolutionCounts.hourCount)
            if hours[hourPlace].number != minute / 60 { hours[hourPlace] = Hour(number: minute / 60) }
            switch event.outcome {
            case .plan(let plan):
                hours[hourPlace].counts[0] &+= 1
                guard let top = plan.topEdgeNumber,
                    let route = routes.number(of: plan.catalog.edges[top].child, in: plan.catalog)
                else { return }
                total.note(route: route, gate: nil)
                minutes[place].tally.note(route: route, gate: nil)
                guard event.isContinuation else { return }
                total.notePassed(plan.requiredLevel)
                minutes[place].tally.notePassed(plan.requiredLevel)
            case .denial(let denial):
                hours[hourPlace].counts[1] &+= 1
                guard let route = routes.number(named: denial.route, in: event.catalog) else { return }
                let gate = denial.gate?.level ?? denial.requiredLevel
                total.note(route: route, gate: gate)
                minutes[place].tally.note(route: route, gate: gate)
            case .failure(let code):
                hours[hourPlace].counts[2] &+= 1
                total.note(problem: code.bytewise)
                minutes[place].tally.note(problem: code.bytewise)
                if let masked { unmatched.count(masked) }
            }
        }
    }

    private let state = Mutex(State())
    private let start: Timestamp
    private let log: (any ResolutionLog)?

    /// Begins to count at a moment.
    package init(since start: Timestamp, log: (any ResolutionLog)? = nil) {
        self.start = start
        self.log = log
    }

    /// Counts a resolution, and has it written down where there is a log.
    package func note(_ event: ResolutionEvent) {
        let masked = masked(event)
        let minute = event.time.millisecondsSinceEpoch / 60_000
        state.withLock { $0.note(event, masked, minute) }
        log?.note(event)
    }

    /// Writes a link that nothing matched as far as the catalog's words tell it; `nil` for every other link.
    private func masked(_ event: ResolutionEvent) -> ByteText? {
        guard case .failure(let code) = event.outcome,
            code.bytewise == "no-matching-route" || code.bytewise == "unknown-origin"
        else { return nil }
        return words(of: event.catalog).masked(event.request.link)
    }

    /// The words of a catalog, collected once for each version.
    private func words(of catalog: RouteCatalog) -> CatalogWords {
        let version = catalog.version.bytewise
        if let known = state.withLock({ $0.words }), known.version == version { return known.words }
        let words = CatalogWords(catalog)
        state.withLock { $0.words = (version, words) }
        return words
    }

    /// Returns what was counted up to a moment.
    package func report(at time: Timestamp) -> ResolutionReport {
        let minute = time.millisecondsSinceEpoch / 60_000
        return state.withLock { state in
            var lastHour = ResolutionTally()
            for slot in state.minutes where slot.number > minute - Self.minuteCount && slot.number <= minute {
                lastHour.add(slot.tally)
            }
            return ResolutionReport(
                since: start,
                total: ResolutionReport.Counts(state.total, state.routes.names),
                lastHour: ResolutionReport.Counts(lastHour, state.routes.names),
                hours: state.hours.filter { $0.number >= 0 && $0.number > minute / 60 - Self.hourCount }
                    .sorted { $0.number < $1.number }
                    .map { hour in
                        ResolutionReport.Hour(
                            start: Timestamp(millisecondsSinceEpoch: hour.number * 3_600_000),
                            counts: hour.counts
                        )
                    },
                unmatched: state.unmatched.top(ResolutionReport.unmatchedCount),
                unmatchedTotal: state.unmatched.total,
                droppedCount: log?.droppedCount
            )
        }
    }
}
