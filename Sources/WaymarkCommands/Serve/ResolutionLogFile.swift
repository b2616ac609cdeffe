import DeepLinkCore
import DeepLinkReporting
import Dispatch
import Foundation
import Logging
import ServiceLifecycle
import Synchronization
import UnixSignals

/// The resolution log in a file: lines are written on a thread of their own, and dropped where they come faster than that.
///
/// The file is renamed to end in `.1` when it has grown to its size, and opened anew on SIGHUP, for programs that rename it
/// themselves.
final class ResolutionLogFile: ResolutionLog {
    /// The most events that wait to be written: some 10 MB.
    private static let maximumWaitingCount = 16_384

    /// The time that lines are gathered for: each call of the thread costs as much as some lines.
    private static let gathering = DispatchTimeInterval.milliseconds(50)

    private struct Waiting {
        var events: [ResolutionEvent] = []
        var droppedCount = 0
        var mustReopen = false
    }

    /// What the thread that writes has; nobody else touches it.
    private final class Output {
        var line = ResolutionLine()
        var file: FileHandle?
        var byteCount = 0
        var hasFailed = false
    }

    private let path: String
    private let maximumByteCount: Int
    private let logger: Logger
    private let waiting = Mutex(Waiting())
    private let output: Mutex<Output>
    private let queue = DispatchQueue(label: "waymark.resolution-log")

    /// Opens the file, and makes it for its owner alone where there is none.
    ///
    /// - Throws: ``CommandError`` of code 69.
    init(path: String, maximumByteCount: Int, logger: Logger) throws(CommandError) {
        self.path = path
        self.maximumByteCount = maximumByteCount
        self.logger = logger
        let opened = Output()
        (opened.file, opened.byteCount) = Self.open(path)
        guard opened.file != nil else {
            throw CommandError(
                .unavailable,
                "cannot write the resolution log \(path); name another file by \(Setting.resolutionLogPath.waysToSet)."
            )
        }
        output = Mutex(opened)
    }

    private static func open(_ path: String) -> (FileHandle?, Int) {
        let descriptor = Foundation.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return (nil, 0) }
        var status = stat()
        let size = fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
        return (FileHandle(fileDescriptor: descriptor, closeOnDealloc: true), size)
    }

    var droppedCount: Int { waiting.withLock(\.droppedCount) }

    func note(_ event: ResolutionEvent) {
        let count = waiting.withLock { waiting in
            guard waiting.events.count < Self.maximumWaitingCount else {
                waiting.droppedCount += 1
                return 0
            }
            waiting.events.append(event)
            return waiting.events.count
        }
        switch count {
        case 1: queue.asyncAfter(deadline: .now() + Self.gathering) { self.write() }
        case Self.maximumWaitingCount / 2: queue.async { self.write() }
        default: break
        }
    }

    /// Opens the file anew before the next line.
    func reopen() {
        waiting.withLock { $0.mustReopen = true }
        queue.async { self.write() }
    }

    /// Waits until all that was told is written.
    func finish() { queue.sync { write() } }

    private func write() {
        let (events, mustReopen) = waiting.withLock { waiting in
            defer {
                waiting.events.removeAll(keepingCapacity: true)
                waiting.mustReopen = false
            }
            return (waiting.events, waiting.mustReopen)
        }
        let lost = output.withLock { output -> Int in
            if mustReopen { (output.file, output.byteCount) = Self.open(path) }
            var bytes: [UInt8] = []
            for event in events { output.line.write(event, to: &bytes) }
            guard !bytes.isEmpty else { return 0 }
            if output.byteCount > 0, output.byteCount + bytes.count > maximumByteCount {
                _ = rename(path, path + ".1")
                (output.file, output.byteCount) = Self.open(path)
            }
            do {
                try output.file?.write(contentsOf: Data(bytes))
                output.byteCount += bytes.count
                output.hasFailed = false
                return output.file == nil ? events.count : 0
            } catch {
                if !output.hasFailed {
                    logger.error("The resolution log cannot be written.", metadata: ["file": "\(path)"])
                }
                output.hasFailed = true
                return events.count
            }
        }
        if lost > 0 { waiting.withLock { $0.droppedCount += lost } }
    }
}

/// The service that opens the resolution log anew on SIGHUP, and empties it at the end.
struct ResolutionLogService: Service {
    let log: ResolutionLogFile

    func run() async throws {
        let signals = await UnixSignalsSequence(trapping: .sighup)
        for await _ in signals.cancelOnGracefulShutdown() { log.reopen() }
        log.finish()
    }
}
