import DeepLinkCore
import DeepLinkReporting
import Dispatch
import Logging
import Synchronization
import WaymarkCommands

/// The resolution log in a file.
///
/// Lines are written on a separate thread, and dropped if they arrive too fast.
///
/// A line similar to an earlier one is built immediately, which costs less than storing its parts. Other lines are
/// built on the thread.
///
/// The file is renamed to end in `.1` when it reaches its maximum size, and reopened on SIGHUP, for programs that
/// rename it themselves.
final class ResolutionLogFile: LinkEventObserver, ThreadedLog {
    /// The maximum number of lines that wait to be written: some 10 MB.
    private static let maximumWaitingCount = 32_768

    /// The time for which lines are collected, since each wake-up of the thread costs as much as some lines.
    private static let gathering = DispatchTimeInterval.milliseconds(50)

    private struct Waiting {
        /// The cached parts of lines.
        var line = ResolutionLine()

        /// The finished lines.
        var bytes: [UInt8] = []
        var lineCount = 0

        /// The events without finished lines.
        var events: [LinkEvent] = []

        var droppedCount = 0
        var mustReopen = false

        /// Whether the thread was woken.
        var isCalled = false

        /// Adds an event, and returns the number of waiting lines, or 0 if the thread need not be woken.
        mutating func take(_ event: LinkEvent) -> Int {
            let count = lineCount + events.count + 1
            guard count <= maximumWaitingCount else {
                droppedCount += 1
                return 0
            }
            if line.writeKnown(event, to: &bytes) { lineCount += 1 } else { events.append(event) }
            guard !isCalled || count == maximumWaitingCount / 2 else { return 0 }
            isCalled = true
            return count
        }
    }

    /// The state of the writing thread, which no other thread uses.
    private final class Output {
        var line = ResolutionLine()
        var file: LineFile
        var hasFailed = false

        init(_ file: LineFile) { self.file = file }
    }

    private let maximumByteCount: Int
    private let logger: Logger
    private let waiting = Mutex(Waiting())
    private let output: Mutex<Output>
    private let queue = DispatchQueue(label: "waymark.resolution-log")

    /// Opens the file, and creates a missing one that only its owner can read.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - maximumByteCount: The size at which a new file is begun.
    ///   - ways: The ways to name another file, for messages.
    ///   - logger: The log for failures.
    /// - Throws: `CommandError` of code 69.
    init(
        path: String,
        maximumByteCount: Int,
        ways: String = Setting.resolutionLogPath.waysToSet(),
        logger: Logger
    ) throws(CommandError) {
        self.maximumByteCount = maximumByteCount
        self.logger = logger
        guard let file = LineFile(path: path) else {
            throw CommandError.unavailable("cannot write the resolution log \(path). Name another file by \(ways).")
        }
        output = Mutex(Output(file))
    }

    /// The number of dropped lines.
    var droppedCount: Int { waiting.withLock(\.droppedCount) }

    /// Logs a use of a link, or drops its line instead of waiting.
    func observe(_ event: LinkEvent) {
        // A link that can't be parsed has no line.
        guard event.request != nil else { return }
        switch waiting.withLock({ $0.take(event) }) {
        case 0: break
        case Self.maximumWaitingCount / 2: queue.async { self.write() }
        default: queue.asyncAfter(deadline: .now() + Self.gathering) { self.write() }
        }
    }

    /// Reopens the file before the next line.
    func reopen() {
        waiting.withLock { $0.mustReopen = true }
        queue.async { self.write() }
    }

    /// Waits until all reported events are written.
    func finish() { queue.sync { write() } }

    private func write() {
        let taken = waiting.withLock { waiting in
            defer {
                waiting.bytes = []
                waiting.bytes.reserveCapacity(waiting.lineCount * 300)
                waiting.lineCount = 0
                waiting.events = []
                waiting.mustReopen = false
                waiting.isCalled = false
            }
            return (
                bytes: waiting.bytes, events: waiting.events, count: waiting.lineCount + waiting.events.count,
                mustReopen: waiting.mustReopen
            )
        }
        let lost = output.withLock { output -> Int in
            if taken.mustReopen { output.file.reopen() }
            var bytes = taken.bytes
            for event in taken.events { output.line.write(event, to: &bytes) }
            waiting.withLock { waiting in
                for event in taken.events { waiting.line.learn(event, from: output.line) }
            }
            guard !bytes.isEmpty else { return 0 }
            do {
                try output.file.append(bytes, renamingAt: maximumByteCount)
                output.hasFailed = false
                return 0
            } catch {
                if !output.hasFailed {
                    logger.error("The resolution log cannot be written.", metadata: ["file": "\(output.file.path)"])
                }
                output.hasFailed = true
                return taken.count
            }
        }
        if lost > 0 { waiting.withLock { $0.droppedCount += lost } }
    }
}
