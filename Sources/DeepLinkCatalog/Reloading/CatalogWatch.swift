/// The decision when a changed catalog file is read, and whether it is taken: pure, from stamps, times and signals.
///
/// A file that was *replaced by rename* is another file: it is whole, and is read at the next look. One that is *written in
/// place* may be cut off, by a writer that stalls or a full disk. It is read once it has not changed for two seconds, taken
/// only where it ends with a line feed, and, where it takes something away or opens something, only on a signal that was
/// sent after the change: what is cut off opens nothing by itself.
package struct CatalogWatch: Sendable {
    /// The time for which a file that is written in place must not have changed.
    package static let quietPeriod = Duration.seconds(2)

    /// The step that follows a look at the file.
    package enum Step: Equatable, Sendable {
        /// Nothing, for now.
        case rest

        /// Read the file, and ask ``CatalogWatch/verdict(on:endsWithLineFeed:takesOrOpens:)``.
        case read
    }

    /// The verdict on a catalog that was read and is sound.
    package enum Verdict: Equatable, Sendable {
        /// It is put in force.
        case take

        /// It is refused: it was written in place, and does not end with a line feed.
        case refuseUnfinished

        /// It waits for a signal: it was written in place, and takes something away or opens something.
        case awaitSignal
    }

    /// The version that was dealt with last: taken, refused, or waiting for a signal; `nil` for no file.
    private var settled: FileStamp?

    /// Whether that version came to be in place.
    private var isSettledInPlace = false

    /// The version seen at the last look, and since when; `nil` for no file.
    private var seen: FileStamp?
    private var seenSince: Duration

    /// The version that was there when the last signal came which has not been followed yet.
    private var signalled: FileStamp??

    /// Begins with the version that is in force.
    package init(inForce stamp: FileStamp?, at time: Duration) {
        settled = stamp
        seen = stamp
        seenSince = time
    }

    /// Looks at the file.
    ///
    /// - Parameters:
    ///   - stamp: the version that is there; `nil` for no file.
    ///   - time: the time that has passed since any moment, always the same one.
    ///   - isSignal: whether a signal asks for the catalog to be read.
    /// - Returns: what to do now.
    package mutating func look(at stamp: FileStamp?, time: Duration, isSignal: Bool) -> Step {
        if stamp != seen { (seen, seenSince) = (stamp, time) }
        if isSignal { signalled = .some(stamp) }
        // What was written after the signal is not what the signal was sent for.
        if let signalled, signalled != stamp { self.signalled = nil }
        let isSignalled = signalled != nil
        guard stamp != settled || isSignalled else { return .rest }
        guard let stamp, isWrittenInPlace(stamp) else {
            // A file that is gone may be about to come back.
            return stamp != nil || isSignalled || isQuiet(time) ? .read : .rest
        }
        return isQuiet(time) ? .read : .rest
    }

    /// Notes that a version was read which cannot be used, or is not there.
    package mutating func refused(_ stamp: FileStamp?) {
        settle(stamp)
    }

    /// Decides on a sound catalog that was read.
    ///
    /// - Parameters:
    ///   - stamp: the version that was read.
    ///   - endsWithLineFeed: whether its last byte is a line feed.
    ///   - takesOrOpens: whether it takes away or opens something (``CatalogChange``).
    /// - Returns: what becomes of it.
    package mutating func verdict(on stamp: FileStamp, endsWithLineFeed: Bool, takesOrOpens: Bool) -> Verdict {
        let isInPlace = isWrittenInPlace(stamp)
        let isSignalled = signalled == .some(.some(stamp))
        settle(stamp)
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
