import Foundation

/// The rules for reading and applying a changed catalog file, as pure functions of stamps, times and signals.
///
/// A file that was *replaced by rename* is complete, and is read at the next poll. A file that was *written in place*
/// may be truncated by a stalled writer or a full disk. It is read once it hasn't changed for two seconds, and applied
/// only if it ends with a line feed. If it removes or opens something, it also needs a signal sent after the change, so
/// that a truncated file opens nothing by itself.
package struct CatalogWatch: Sendable {
    /// The time without changes after which a file that is written in place is read.
    package static let quietPeriod = Duration.seconds(2)

    /// The step that follows a poll of the file.
    package enum Step: Equatable, Sendable {
        /// Do nothing.
        case rest

        /// Read the file, and ask ``CatalogWatch/verdict(on:endsWithLineFeed:takesOrOpens:losesUsers:)``.
        case read
    }

    /// The decision about a valid catalog that was read.
    package enum Verdict: Equatable, Sendable {
        /// The catalog is applied.
        case take

        /// The catalog is refused: it was written in place, and doesn't end with a line feed.
        case refuseUnfinished

        /// The catalog waits for a signal.
        ///
        /// Either it was written in place, and removes or opens something, or it lacks a level that stored users have.
        case awaitSignal
    }

    /// The last version with a decision: applied, refused, or waiting for a signal.
    ///
    /// `nil` if the file was missing.
    private var settled: FileStamp?

    /// Whether that version was written in place.
    private var isSettledInPlace = false

    /// The version at the last poll, and the time when it was first seen.
    ///
    /// `nil` if the file was missing.
    private var seen: FileStamp?
    private var seenSince: Duration

    /// The version at the last signal that is still pending.
    private var signalled: FileStamp??

    /// Creates a watch that starts with the applied version.
    package init(inForce stamp: FileStamp?, at time: Duration) {
        settled = stamp
        seen = stamp
        seenSince = time
    }

    /// Returns the next step after a poll of the file.
    ///
    /// - Parameters:
    ///   - stamp: the current version, or `nil` if the file is missing.
    ///   - time: the time since a fixed point in time.
    ///   - isSignal: whether a signal requests a reload.
    /// - Returns: the next step.
    package mutating func look(at stamp: FileStamp?, time: Duration, isSignal: Bool) -> Step {
        if stamp != seen { (seen, seenSince) = (stamp, time) }
        if isSignal { signalled = .some(stamp) }
        // A signal doesn't apply to a version that was written after it.
        if let signalled, signalled != stamp { self.signalled = nil }
        let isSignalled = signalled != nil
        guard stamp != settled || isSignalled else { return .rest }
        guard let stamp, isWrittenInPlace(stamp) else {
            // A missing file may be about to come back.
            return stamp != nil || isSignalled || isQuiet(time) ? .read : .rest
        }
        return isQuiet(time) ? .read : .rest
    }

    /// Records that a version was read and is invalid or missing.
    package mutating func refused(_ stamp: FileStamp?) {
        settle(stamp)
    }

    /// Returns the decision about a valid catalog that was read.
    ///
    /// - Parameters:
    ///   - stamp: the version that was read.
    ///   - endsWithLineFeed: whether its last byte is a line feed.
    ///   - takesOrOpens: whether it removes or opens something (``CatalogChange``).
    ///   - losesUsers: whether it lacks a level that stored users have.
    /// - Returns: the decision.
    package mutating func verdict(
        on stamp: FileStamp,
        endsWithLineFeed: Bool,
        takesOrOpens: Bool,
        losesUsers: Bool = false
    ) -> Verdict {
        let isInPlace = isWrittenInPlace(stamp)
        let isSignalled = signalled == .some(.some(stamp))
        settle(stamp)
        // However the file was replaced, users must not lose a level by an oversight.
        if losesUsers, !isSignalled { return isInPlace && !endsWithLineFeed ? .refuseUnfinished : .awaitSignal }
        guard isInPlace else { return .take }
        guard endsWithLineFeed else { return .refuseUnfinished }
        return takesOrOpens && !isSignalled ? .awaitSignal : .take
    }

    private mutating func settle(_ stamp: FileStamp?) {
        isSettledInPlace = stamp.map(isWrittenInPlace) ?? false
        settled = stamp
        signalled = nil
    }

    private func isWrittenInPlace(_ stamp: FileStamp) -> Bool {
        stamp == settled ? isSettledInPlace : settled?.isSameFile(as: stamp) ?? false
    }

    private func isQuiet(_ time: Duration) -> Bool { time - seenSince >= Self.quietPeriod }
}

/// The identity of a file's version, available without reading the file.
package struct FileStamp: Equatable, Sendable {
    /// The device of the file.
    private let device: UInt64

    /// The inode of the file on its device.
    ///
    /// A file that is renamed over another keeps its own inode.
    private let inode: UInt64

    /// The length in bytes.
    private let size: Int64

    /// The times of the last changes of the content and of the status, in nanoseconds since the epoch.
    private let times: [Int64]

    /// Creates a stamp from its parts.
    package init(inode: UInt64, size: Int, changedAt time: Int) {
        device = 0
        self.inode = inode
        self.size = Int64(size)
        times = [Int64(time)]
    }

    /// Reads the stamp of a file, following symbolic links, or returns `nil` if the file doesn't exist.
    package init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Reads the stamp of an open file, or returns `nil` if the descriptor is invalid.
    package init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Creates a stamp from the system's file status.
    private init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        size = Int64(status.st_size)
        times = [status.st_mtim, status.st_ctim].map { Int64($0.tv_sec) * 1_000_000_000 + Int64($0.tv_nsec) }
    }

    /// Returns whether both are versions of one file that was written in place in between.
    package func isSameFile(as other: FileStamp) -> Bool { device == other.device && inode == other.inode }
}
