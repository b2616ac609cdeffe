import DeepLinkStorage
import Foundation
import ServiceLifecycle
import UnixSignals

/// An append-only file, readable by its owner alone.
///
/// Lines that are added together are one call of the system, so that several processes may write to one file.
package struct LineFile {
    package let path: String

    private var file: FileHandle?
    private var byteCount = 0

    /// Opens a file, and creates it if it doesn't exist; `nil` if that fails.
    package init?(path: String) {
        self.path = path
        reopen()
        guard file != nil else { return nil }
    }

    /// Opens the file of that name anew, as after others have renamed it.
    package mutating func reopen() {
        let flags = O_CREAT | O_APPEND | O_CLOEXEC
        let made = open(path, O_RDWR | flags | O_EXCL, 0o600)
        if made >= 0 { FileOwner.inherit(made, at: path) }
        let readable = made >= 0 ? made : open(path, O_RDWR | flags, 0o600)
        let descriptor = readable >= 0 ? readable : open(path, O_WRONLY | flags, 0o600)
        guard descriptor >= 0 else {
            (file, byteCount) = (nil, 0)
            return
        }
        var status = stat()
        byteCount = fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
        file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// Appends whole lines.
    ///
    /// - Parameters:
    ///   - lines: The lines, with their ends.
    ///   - maximumByteCount: The size from which on the file is renamed to end in `.1` before, and begun anew; `nil` if
    ///     only others rename it.
    /// - Throws: An error if not all lines are written; the part of a line that was written is ended before the next.
    package mutating func append(_ lines: [UInt8], renamingAt maximumByteCount: Int? = nil) throws {
        if let maximumByteCount, byteCount > 0, byteCount + lines.count > maximumByteCount {
            _ = rename(path, path + ".1")
            reopen()
        }
        if file.map({ isRemoved($0.fileDescriptor) }) ?? true { reopen() }
        guard let file else { throw ClosedError(code: errno) }
        let bytes = isTorn(file.fileDescriptor) ? [UInt8(ascii: "\n")] + lines : lines
        try file.write(contentsOf: Data(bytes))
        byteCount += bytes.count
    }

    /// Returns whether the file ends within a line, because this process or another one ran out of space.
    private func isTorn(_ descriptor: Int32) -> Bool {
        var (status, last) = (stat(), UInt8(ascii: "\n"))
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else {
            return false
        }
        return pread(descriptor, &last, 1, status.st_size - 1) == 1 && last != UInt8(ascii: "\n")
    }

    /// Returns whether the file was unlinked, so that its lines would be lost.
    private func isRemoved(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_nlink == 0
    }

    /// The failure to open the file.
    private struct ClosedError: Error, CustomStringConvertible {
        /// The system's error (errno(3)).
        let code: Int32

        var description: String { String(cString: strerror(code)) }
    }
}

/// A log whose lines are written on a thread of its own.
package protocol ThreadedLog: Sendable {
    /// Reopens the file before the next line, as after a program has renamed it.
    func reopen()

    /// Waits until all lines are written.
    func finish()
}

/// The service that reopens log files on SIGUSR1 and SIGHUP, and writes the remaining lines at the end.
///
/// SIGHUP has a second meaning, the consent to a catalog that opens routes: SIGUSR1 is for programs that rename logs.
package struct LogFileService: Service {
    let logs: [any ThreadedLog]

    /// Creates the service of some logs.
    package init(logs: [any ThreadedLog]) { self.logs = logs }

    package func run() async throws {
        let signals = await UnixSignalsSequence(trapping: .sighup, .sigusr1)
        for await _ in signals.cancelOnGracefulShutdown() {
            for log in logs { log.reopen() }
        }
        for log in logs { log.finish() }
    }
}
