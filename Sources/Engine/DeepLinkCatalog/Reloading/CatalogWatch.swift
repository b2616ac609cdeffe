package import DeepLinkCore

/// The rules for reading and applying a changed catalog file, as pure functions of stamps, times and signals.
///
/// A file that was *replaced by rename* is complete, and is read at the next poll. A file that was *written in place*
/// may be truncated by a stalled writer or a full disk. It is read once it hasn't changed for two seconds, and applied
/// only if it ends with a line feed. If it removes or opens something, it also needs a signal sent after the change, so
/// that a truncated file opens nothing by itself.
///
/// A catalog with included files is read once none of its files has changed for two seconds, however they are changed,
/// so that files that are replaced one by one are read together. The rules for writing in place hold for each file.
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
    private var settled: CatalogStamp?

    /// The names of its files that were written in place since the catalog in force was applied.
    private var settledInPlace: Set<ByteText> = []

    /// The version at the last poll, and the time when it was first seen.
    ///
    /// `nil` if the file was missing.
    private var seen: CatalogStamp?
    private var seenSince: Duration

    /// The version at the last signal that is still pending.
    private var signalled: CatalogStamp??

    /// Creates a watch that starts with the applied version.
    package init(inForce stamp: CatalogStamp?, at time: Duration) {
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
    package mutating func look(at stamp: CatalogStamp?, time: Duration, isSignal: Bool) -> Step {
        if stamp != seen { (seen, seenSince) = (stamp, time) }
        if isSignal { signalled = .some(stamp) }
        // A signal doesn't apply to a version that was written after it.
        if let signalled, signalled != stamp { self.signalled = nil }
        let isSignalled = signalled != nil
        guard stamp != settled || isSignalled else { return .rest }
        // A missing file may be about to come back.
        guard let stamp else { return isSignalled || isQuiet(time) ? .read : .rest }
        let mustBeQuiet =
            !writtenInPlace(stamp).isEmpty || stamp.includesFiles || settled?.includesFiles == true
        return !mustBeQuiet || isQuiet(time) ? .read : .rest
    }

    /// Records that the catalog includes other files than at the last poll.
    ///
    /// A signal that is pending applies to the version with these files. They count as changed at this time.
    package mutating func widen(to stamp: CatalogStamp?, time: Duration) {
        if signalled != nil { signalled = .some(stamp) }
        (seen, seenSince) = (stamp, time)
    }

    /// Records that a version was read and is invalid or missing.
    package mutating func refused(_ stamp: CatalogStamp?) {
        settle(stamp)
    }

    /// Returns the names of the files of a version that were written in place since the catalog in force was applied.
    package func writtenInPlace(_ stamp: CatalogStamp) -> Set<ByteText> {
        guard let settled else { return [] }
        let names = stamp.files.compactMap { name, file -> ByteText? in
            guard let former = settled.files[name] else { return nil }
            let isInPlace = former == file ? settledInPlace.contains(name) : former.isSameFile(as: file)
            return isInPlace ? name : nil
        }
        return Set(names)
    }

    /// Returns the decision about a valid catalog that was read.
    ///
    /// - Parameters:
    ///   - stamp: the version that was read.
    ///   - endsWithLineFeed: whether the last byte of each file that was written in place is a line feed.
    ///   - takesOrOpens: whether it removes or opens something (``CatalogChange``).
    ///   - losesUsers: whether it lacks a level that stored users have.
    /// - Returns: the decision.
    package mutating func verdict(
        on stamp: CatalogStamp,
        endsWithLineFeed: Bool,
        takesOrOpens: Bool,
        losesUsers: Bool = false
    ) -> Verdict {
        let isInPlace = !writtenInPlace(stamp).isEmpty
        let isSignalled = signalled == .some(.some(stamp))
        settle(stamp)
        // However the file was replaced, users must not lose a level by an oversight.
        if losesUsers, !isSignalled { return isInPlace && !endsWithLineFeed ? .refuseUnfinished : .awaitSignal }
        if isInPlace, !endsWithLineFeed { return .refuseUnfinished }
        if isInPlace, takesOrOpens, !isSignalled { return .awaitSignal }
        settledInPlace = []
        return .take
    }

    private mutating func settle(_ stamp: CatalogStamp?) {
        settledInPlace = stamp.map(writtenInPlace) ?? []
        settled = stamp
        signalled = nil
    }

    private func isQuiet(_ time: Duration) -> Bool { time - seenSince >= Self.quietPeriod }
}
