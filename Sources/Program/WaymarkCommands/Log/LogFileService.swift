import ServiceLifecycle
import UnixSignals

/// A log whose lines are written on a thread of its own.
protocol ThreadedLog: Sendable {
    /// Reopens the file before the next line, as after a program has renamed it.
    func reopen()

    /// Waits until all lines are written.
    func finish()
}

/// The service that reopens the files of logs on SIGUSR1 and SIGHUP, and writes the remaining lines at the end.
///
/// SIGHUP has a second meaning, the consent to a catalog that opens routes: SIGUSR1 is for programs that rename logs.
struct LogFileService: Service {
    let logs: [any ThreadedLog]

    func run() async throws {
        let signals = await UnixSignalsSequence(trapping: .sighup, .sigusr1)
        for await _ in signals.cancelOnGracefulShutdown() {
            for log in logs { log.reopen() }
        }
        for log in logs { log.finish() }
    }
}
