import DeepLinkCore
import DeepLinkReporting
import Dispatch
import Foundation
import Synchronization

/// The audit log in a file or on standard error, written on its own thread.
///
/// A change waits until its lines are in the file: the system has them when the change is acknowledged, and what waits
/// is bounded by the requests that the server works on. Standard error may be a pipe that nobody reads: there, no
/// change waits, and lines beyond a bound are lost. Lost lines are counted; the change itself is made and stays
/// (decision record 48).
package final class AuditLogWriter: AuditLog, ThreadedLog {
    /// The most lines that wait for standard error.
    private static let maximumWaitingCount = 16_384

    private struct Waiting {
        /// The lines to write.
        var bytes: [UInt8] = []
        var count = 0

        /// The changes that wait for these lines.
        var changes: [CheckedContinuation<Void, Never>] = []

        var lostCount = 0
        var mustReopen = false
    }

    /// The state of the writing thread, which no other thread uses.
    private struct Output {
        /// The file, or `nil` for standard error.
        var file: LineFile?

        var isFailing = false
    }

    private let waiting = Mutex(Waiting())
    private let output: Mutex<Output>
    private let isFile: Bool
    private let queue = DispatchQueue(label: "waymark.audit-log")
    private let report: @Sendable (_ message: String, _ isFault: Bool) -> Void

    /// Opens the log, and creates a missing file that only its owner can read.
    ///
    /// The result is `nil` if the log is off.
    ///
    /// - Parameters:
    ///   - place: The location of the log.
    ///   - settingsFile: The settings file that was read, for messages, or `nil` if there was none.
    ///   - report: The callback for a failure to write lines, and for the recovery.
    /// - Throws: ``CommandError`` of code 69 if the file cannot be opened.
    package init?(
        _ place: AuditLocation,
        settingsFile: String? = nil,
        report: @escaping @Sendable (_ message: String, _ isFault: Bool) -> Void
    ) throws(CommandError) {
        self.report = report
        switch place {
        case .off: return nil
        case .standardError:
            isFile = false
            output = Mutex(Output())
        case .file(let path):
            guard let file = LineFile(path: path) else {
                throw CommandError.unavailable(
                    "cannot write the audit log \(path) (\(String(cString: strerror(errno)))), and nothing was changed. Name another "
                        + "file, or none, by \(Setting.auditPath.variable) or \(Setting.auditPath.rawValue) in "
                        + "\(Setting.nameOfFile(settingsFile))."
                )
            }
            isFile = true
            output = Mutex(Output(file: file))
        }
    }

    /// The number of lines that were lost.
    package var lostCount: Int { waiting.withLock(\.lostCount) }

    func write(_ entries: [AuditEntry]) async {
        guard !entries.isEmpty else { return }
        let lines = entries.flatMap { $0.json + [UInt8(ascii: "\n")] }
        guard isFile else { return add(lines, count: entries.count, of: nil) }
        await withCheckedContinuation { add(lines, count: entries.count, of: $0) }
    }

    /// Adds lines to the waiting ones, and wakes the thread unless that was already done.
    private func add(_ lines: [UInt8], count: Int, of change: CheckedContinuation<Void, Never>?) {
        let mustCall = waiting.withLock { waiting in
            guard isFile || waiting.count + count <= Self.maximumWaitingCount else {
                waiting.lostCount += count
                return false
            }
            let isFirst = waiting.count == 0
            waiting.bytes += lines
            waiting.count += count
            if let change { waiting.changes.append(change) }
            return isFirst
        }
        if mustCall { queue.async { self.write() } }
    }

    /// Returns whole lines in parts that the system writes to a pipe atomically (`PIPE_BUF`, pipe(7)), since other
    /// threads write messages of the log.
    ///
    /// Only a single line can be longer.
    static func parts(of lines: [UInt8]) -> [ArraySlice<UInt8>] {
        var parts: [ArraySlice<UInt8>] = []
        var (start, end) = (0, 0)
        for next in lines.indices where lines[next] == UInt8(ascii: "\n") {
            if next + 1 - start > 4096, end > start {
                parts.append(lines[start..<end])
                start = end
            }
            end = next + 1
        }
        return parts + [lines[start...]]
    }

    /// Returns the system's description of a failure.
    private static func reason(_ error: any Error) -> String {
        var cause = error as NSError
        while let next = cause.userInfo[NSUnderlyingErrorKey] as? NSError { cause = next }
        return cause.domain == NSPOSIXErrorDomain ? String(cString: strerror(Int32(cause.code))) : "\(error)"
    }

    package func reopen() {
        waiting.withLock { $0.mustReopen = true }
        queue.async { self.write() }
    }

    package func finish() { queue.sync { write() } }

    private func write() {
        let taken = waiting.withLock { waiting in
            let taken = waiting
            waiting = Waiting(lostCount: taken.lostCount)
            return taken
        }
        output.withLock { output in
            if taken.mustReopen { output.file?.reopen() }
            guard taken.count > 0 else { return }
            do {
                if output.file == nil {
                    for part in Self.parts(of: taken.bytes) {
                        try FileHandle.standardError.write(contentsOf: Data(part))
                    }
                } else {
                    try output.file?.append(taken.bytes)
                }
                if output.isFailing { report("The audit log is written again.", false) }
                output.isFailing = false
            } catch {
                waiting.withLock { $0.lostCount += taken.count }
                if !output.isFailing {
                    report("The audit log cannot be written (\(Self.reason(error))): changes have no line in it.", true)
                }
                output.isFailing = true
            }
        }
        for change in taken.changes { change.resume() }
    }
}
