package import DeepLinkCore
package import DeepLinkStorage
import Synchronization

/// A store of counts in memory until the process ends, for tests.
package final class InMemoryLinkCountStore: LinkCountStore {
    private struct State {
        var counts: [CountHeading: OutcomeCounts] = [:]
        var slices: Set<ByteText> = []
    }

    private let state = Mutex(State())

    /// Creates an empty store.
    package init() {}

    package func add(_ slice: CountSlice) async throws {
        state.withLock { state in
            guard state.slices.insert(slice.id.bytewise).inserted else { return }
            for addition in slice.additions {
                state.counts[addition.heading, default: OutcomeCounts()]
                    .add(addition.count, storedAs: addition.outcome)
            }
        }
    }

    package func counts(_ question: CountQuery) async throws -> [CountRow] {
        let stored = state.withLock { $0.counts }
        var sums: [CountRow.Heading: OutcomeCounts] = [:]
        for (heading, counts) in stored {
            guard let heading = Self.heading(heading, of: question) else { continue }
            if let codes = question.codes, !heading.allSatisfy(codes.contains) { continue }
            for (outcome, count) in counts.stored {
                sums[heading, default: OutcomeCounts()].add(count, storedAs: outcome)
            }
        }
        return sums.map { CountRow($0.key, counts: $0.value) }
            .filter { row in question.after.map { $0.lexicographicallyPrecedes(row.heading) } ?? true }
            .sorted { $0.heading.lexicographicallyPrecedes($1.heading) }
            .prefix(question.limit).map(\.self)
    }

    package func dropCounts(before day: CountedDay) async throws -> Bool {
        state.withLock { state in
            for case .day(let counted, let route, let label) in state.counts.keys where counted < day {
                state.counts[.day(counted, route: route, label: label)] = nil
            }
            return false
        }
    }

    /// Returns the heading under which counts are added up; `nil` for those that a question leaves out.
    private static func heading(_ heading: CountHeading, of question: CountQuery) -> CountRow.Heading? {
        switch (heading, question.headings) {
        case (.code(let code), .codes): return [code]
        case (.day(let day, let route, let label), .days(let days, let parts)):
            guard days.contains(day) else { return nil }
            return parts.map { part in
                switch part {
                case .day: day.text.bytewise
                case .route: route
                case .label: label
                case .app: question.apps[route] ?? ""
                }
            }
        case (.code, .days), (.day, .codes): return nil
        }
    }
}
