import DeepLinkCore
import Foundation
import Synchronization
import Testing
import WaymarkTestSupport

@testable import WaymarkCommands
@testable import WaymarkServer

/// The comparisons after reloads: one at a time, and the newest alone.
@Suite struct ReloadComparisonsTests {
    /// The record of the comparisons.
    private final class Record: Sendable {
        let endings = Mutex<[String]>([])
        let running = Atomic(0)
        let mostAtOnce = Atomic(0)
        let isHeld = Atomic(true)

        func note(_ ending: ReloadComparisons.Ending) {
            endings.withLock { list in
                switch ending {
                case .summary(let text): list.append(text)
                case .overtaken: list.append("overtaken")
                case .tooLong: list.append("too long")
                }
            }
        }

        /// Compares until the interruption is due, or nobody holds it any more.
        func compare(_ interruption: Interruption) throws(Interruption.Stop) -> String {
            let now = running.add(1, ordering: .sequentiallyConsistent).newValue
            mostAtOnce.max(now, ordering: .sequentiallyConsistent)
            defer { running.subtract(1, ordering: .sequentiallyConsistent) }
            while isHeld.load(ordering: .acquiring) {
                try interruption.check()
                sched_yield()
            }
            return "compared"
        }
    }

    private func wait(until holds: () -> Bool) async throws {
        while !holds() { try await Task.sleep(for: .milliseconds(1)) }
    }

    @Test(.timeLimit(.minutes(10)))
    func `one goes on at a time, and all but the newest are given up`() async throws {
        let catalog = try SampleApp.catalog()
        let record = Record()
        let comparisons = ReloadComparisons(maximum: .seconds(600)) { _, interruption throws(Interruption.Stop) in
            try record.compare(interruption)
        } completion: { _, ending in
            record.note(ending)
        }
        for _ in 0..<20 { comparisons.add(ReloadComparisons.Pair(former: catalog, new: catalog)) }
        try await wait { record.endings.withLock { $0.count } == 19 }
        record.isHeld.store(false, ordering: .releasing)
        try await wait { record.endings.withLock { $0.count } == 20 }
        #expect(record.mostAtOnce.load(ordering: .relaxed) == 1)
        #expect(record.endings.withLock { $0 } == Array(repeating: "overtaken", count: 19) + ["compared"])
        // The thread is gone, and the next pair gets one.
        comparisons.add(ReloadComparisons.Pair(former: catalog, new: catalog))
        try await wait { record.endings.withLock { $0.count } == 21 }
        #expect(record.endings.withLock { $0.last } == "compared")
    }

    @Test(.timeLimit(.minutes(10)))
    func `one that takes too long says so`() async throws {
        let catalog = try SampleApp.catalog()
        let record = Record()
        let comparisons = ReloadComparisons(maximum: .zero) { _, interruption throws(Interruption.Stop) in
            try record.compare(interruption)
        } completion: { _, ending in
            record.note(ending)
        }
        comparisons.add(ReloadComparisons.Pair(former: catalog, new: catalog))
        try await wait { record.endings.withLock { $0 } == ["too long"] }
    }
}
