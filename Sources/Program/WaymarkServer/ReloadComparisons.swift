import DeepLinkCore
import Foundation
import Synchronization
import WaymarkCommands

/// The comparisons of new catalogs with the former ones, on a separate thread: one at a time, and only the newest.
///
/// No caller waits for them. A comparison is cancelled when another catalog arrives, since its result would be
/// outdated, and each holds two catalogs.
final class ReloadComparisons: Sendable {
    /// The two catalogs to compare.
    struct Pair: Sendable {
        let former: RouteCatalog
        let new: RouteCatalog
    }

    /// A function that compares two catalogs, and returns a one-line summary of the changes.
    typealias Compare = @Sendable (Pair, Interruption) throws(Interruption.Stop) -> String

    /// The end of a comparison.
    enum Ending: Sendable {
        /// The summary of the changes.
        case summary(String)

        /// Another catalog arrived.
        case overtaken

        /// The time limit was exceeded.
        case tooLong
    }

    /// The default time limit of a comparison.
    static let usualMaximum = Duration.seconds(10)

    private struct State {
        var isRunning = false
        var next: Pair?
    }

    private let state = Mutex(State())

    /// The number of pairs so far.
    private let count = Atomic(0)

    private let maximum: Duration
    private let compare: Compare
    private let completion: @Sendable (Pair, Ending) -> Void

    /// Creates comparisons.
    ///
    /// - Parameters:
    ///   - maximum: The time limit of each comparison.
    ///   - compare: The comparison of two catalogs.
    ///   - completion: The callback for the end of each pair's comparison.
    init(
        maximum: Duration = usualMaximum,
        compare: @escaping Compare,
        completion: @escaping @Sendable (Pair, Ending) -> Void
    ) {
        self.maximum = maximum
        self.compare = compare
        self.completion = completion
    }

    /// Compares a new catalog with the former one as soon as the thread is free, and cancels older comparisons.
    func add(_ pair: Pair) {
        count.wrappingAdd(1, ordering: .relaxed)
        let (overtaken, begins) = state.withLock { state in
            let overtaken = state.next
            state.next = pair
            let begins = !state.isRunning
            state.isRunning = true
            return (overtaken, begins)
        }
        if let overtaken { completion(overtaken, .overtaken) }
        if begins { Thread.detachNewThread { self.run() } }
    }

    private func run() {
        while let (pair, number) = next() { completion(pair, ending(of: pair, number)) }
    }

    private func next() -> (pair: Pair, number: Int)? {
        state.withLock { state in
            guard let pair = state.next else {
                state.isRunning = false
                return nil
            }
            state.next = nil
            return (pair, count.load(ordering: .relaxed))
        }
    }

    private func ending(of pair: Pair, _ number: Int) -> Ending {
        let end = ContinuousClock.now + maximum
        let isOvertaken: @Sendable () -> Bool = { self.count.load(ordering: .relaxed) != number }
        do throws(Interruption.Stop) {
            return .summary(try compare(pair, Interruption { isOvertaken() || ContinuousClock.now > end }))
        } catch {
            return isOvertaken() ? .overtaken : .tooLong
        }
    }
}
