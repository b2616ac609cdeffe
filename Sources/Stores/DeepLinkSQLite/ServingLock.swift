import DeepLinkStorage
import Foundation

/// The lock that prevents a second server on a database, and records whether the last one ended cleanly.
///
/// It is a file beside the database, locked while a server runs (flock(2)). The kernel releases it however the process
/// ends. While the server runs, the file contains one line with the server's condition and process id. A clean end
/// empties it, so a line in an unlocked file means an unclean end.
final class ServingLock: Sendable {
    /// The condition of the server that holds the lock.
    enum Condition: String, Sendable {
        case starting, serving, failed
    }

    /// The state of the lock, as seen by others.
    enum State: Sendable {
        /// No server runs, and the last one ended cleanly.
        case clean

        /// No server runs, and the last one did not end cleanly.
        case unclean

        /// A server runs. The value is whether it accepts changes.
        case held(acceptsChanges: Bool)
    }

    /// The number of attempts to take a held lock, and the microseconds between them.
    ///
    /// A server may be ending, or a command may hold it briefly.
    private static let (attempts, pause) = (10, UInt32(50_000))

    private let path: String
    private let descriptor: Int32

    /// Whether the last server left a line, and so didn't end cleanly.
    let followsUncleanEnd: Bool

    /// Takes the lock.
    ///
    /// - Throws: ``StoreOpenError`` if another server holds it, or the file cannot be written.
    init(_ file: DatabaseFile) throws(StoreOpenError) {
        path = file.lockPath
        let made = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if made >= 0 { FileOwner.inherit(made, at: path) }
        descriptor = made >= 0 ? made : open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.error(file, step: "open") }
        for attempt in 1... {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { break }
            let isHeld = errno == EWOULDBLOCK
            guard isHeld, attempt < Self.attempts else {
                let error: StoreOpenError =
                    isHeld ? .served(path: file.path, by: Self.holder(path)) : Self.error(file, step: "lock")
                close(descriptor)
                throw error
            }
            usleep(Self.pause)
        }
        followsUncleanEnd = !Self.line(path).isEmpty
    }

    deinit { close(descriptor) }

    /// Stores the server's condition.
    ///
    /// When this returns, it survives a power failure.
    func mark(_ condition: Condition, of file: DatabaseFile) throws(StoreOpenError) {
        let line = Array("\(condition.rawValue) \(getpid())\n".utf8)
        // The last line is overwritten and then truncated, so that the file is never empty in between.
        guard pwrite(descriptor, line, line.count, 0) == line.count, ftruncate(descriptor, off_t(line.count)) == 0,
            fsync(descriptor) == 0
        else { throw Self.error(file, step: "write") }
    }

    /// Releases the lock, and records whether the end was clean.
    ///
    /// If the record is lost, the next start checks the file needlessly.
    func release(isClean: Bool) {
        if isClean { _ = ftruncate(descriptor, 0) }
        _ = flock(descriptor, LOCK_UN)
    }

    /// Returns the state of a database's lock without taking it.
    static func state(of file: DatabaseFile) -> State {
        let line = line(file.lockPath)
        guard !line.isEmpty else { return .clean }
        let descriptor = open(file.lockPath, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return .clean }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_SH | LOCK_NB) != 0 else { return .unclean }
        return .held(acceptsChanges: line.utf8.starts(with: Condition.serving.rawValue.utf8))
    }

    private static func line(_ path: String) -> String {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// Returns the process id in the line of the server that holds the lock.
    private static func holder(_ path: String) -> Int? {
        line(path).split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) }
    }

    private static func error(_ file: DatabaseFile, step: String) -> StoreOpenError {
        let code = errno
        guard ![EACCES, EPERM, EROFS].contains(code) else { return .readOnly(path: file.path) }
        guard code != ENOSPC else { return .diskFull(path: file.path) }
        return .unreachable(
            path: file.path,
            reason: "cannot \(step) the lock \(file.lockPath): \(String(cString: strerror(code)))"
        )
    }
}
