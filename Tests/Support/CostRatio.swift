import Foundation

/// The cost of some work beside that of other work, in processor time: the least of several attempts at each, by turns.
///
/// Every test of costs and the fuzzer's search for costly inputs compare by it. A ratio above the limit is measured again,
/// up to ``maximumAttemptCount`` times: work that costs too much does so each time, while a cold cache or another test of
/// the process costs only some attempts.
package struct CostRatio: CustomStringConvertible {
    /// The most that an input may cost, in plain ones of its size.
    package static let inputLimit = 50.0

    /// The most attempts at work whose ratio is above the limit.
    private static let maximumAttemptCount = 40

    /// The cost of the work, in nanoseconds.
    package private(set) var cost = Double.infinity

    /// The cost of the other work, in nanoseconds.
    package private(set) var plainCost = Double.infinity

    /// The most that the work may cost, in times of the other.
    private let limit: Double

    /// The cost of the work, in times of the other.
    package var value: Double { cost / plainCost }

    /// Whether the work costs at most what it may.
    package var isWithinLimit: Bool { value <= limit }

    package var description: String {
        String(format: "%9.2f ms, plain %7.2f ms, × %.1f", cost / 1e6, plainCost / 1e6, value)
    }

    /// Measures work of this thread.
    ///
    /// - Parameters:
    ///   - limit: the most that the work may cost, in times of the other.
    ///   - count: the number of attempts at each.
    ///   - work: the work.
    ///   - plain: the plain work that it is compared with.
    package init(
        limit: Double = inputLimit,
        count: Int = 3,
        of work: () throws -> Void,
        over plain: () throws -> Void
    ) rethrows {
        self.limit = limit
        var attempt = 0
        while attempt < count || !isWithinLimit && attempt < Self.maximumAttemptCount {
            plainCost = min(plainCost, try ProcessorTime.least(of: 1, plain))
            cost = min(cost, try ProcessorTime.least(of: 1, work))
            attempt += 1
        }
    }

    /// Measures work that threads of this process share, such as those of a server.
    ///
    /// - Parameters:
    ///   - limit: the most that the work may cost, in times of the other.
    ///   - count: the number of attempts at each.
    ///   - work: the work.
    ///   - plain: the plain work that it is compared with.
    package init(
        limit: Double = inputLimit,
        count: Int = 3,
        ofProcess work: () async throws -> Void,
        over plain: () async throws -> Void
    ) async rethrows {
        self.limit = limit
        var attempt = 0
        while attempt < count || !isWithinLimit && attempt < Self.maximumAttemptCount {
            let start = ProcessorTime.ofProcess
            try await plain()
            let middle = ProcessorTime.ofProcess
            try await work()
            plainCost = min(plainCost, middle - start)
            cost = min(cost, ProcessorTime.ofProcess - middle)
            attempt += 1
        }
    }
}
