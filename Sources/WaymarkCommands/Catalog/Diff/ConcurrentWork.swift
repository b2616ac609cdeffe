import Foundation

/// Work on several things at once, on all cores.
enum ConcurrentWork {
    /// The shares into which work is cut: some for each core, so that one that is held up holds up little.
    static let shareCount = 4 * max(1, ProcessInfo.processInfo.activeProcessorCount)

    /// Does something with each of some things, and returns what comes of it, in their order.
    static func results<Thing: Sendable, Outcome: Sendable>(
        of things: [Thing],
        _ work: @escaping @Sendable (Thing) -> Outcome
    ) async -> [Outcome] {
        await withTaskGroup(of: (Int, Outcome).self) { group in
            for (place, thing) in things.enumerated() {
                group.addTask { @concurrent in (place, work(thing)) }
            }
            var outcomes: [Int: Outcome] = [:]
            for await (place, outcome) in group { outcomes[place] = outcome }
            return things.indices.compactMap { outcomes[$0] }
        }
    }
}
