import AsyncAlgorithms
import DeepLinkCore
import DeepLinkReporting
import DeepLinkStorage
import Logging
import ServiceLifecycle
import WaymarkCommands

/// The service that writes the counts of link uses to the store, every few seconds and at the end, and deletes old
/// days.
struct LinkCountService: Service {
    /// The interval between two writes, so that a killed process loses at most ten seconds of counts.
    static let interval = Duration.seconds(5)

    let counts: LinkCounts
    let store: any LinkCountStore
    let logger: Logger

    func run() async throws {
        var writer = LinkCountWriter(counts, to: store)
        var failures = FailureSpell("Counts cannot be written.", recovery: "Counts are written again.", log: logger)
        var lastDay: CountedDay?
        for await _ in AsyncTimerSequence(interval: Self.interval, clock: .continuous).cancelOnGracefulShutdown() {
            do {
                try await writer.write()
                let today = CountedDay(of: SystemClock.now())
                if today != lastDay { try await writer.dropOld(on: today) }
                lastDay = today
                failures.end()
            } catch {
                failures.note(error)
            }
        }
        // The requests in progress at the end have been answered.
        do { try await writer.write() } catch {
            logger.warning("The last counts cannot be written.", metadata: ["error": "\(error)"])
        }
    }
}
