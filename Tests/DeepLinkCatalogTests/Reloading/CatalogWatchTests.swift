import DeepLinkCatalog
import Testing

/// Tests of when changed files are read and taken, with times of their own.
@Suite struct CatalogWatchTests {
    private static let first = CatalogStamp(FileStamp(inode: 1, size: 10, changedAt: 0))
    private static let written = CatalogStamp(FileStamp(inode: 1, size: 5, changedAt: 1))
    private static let rewritten = CatalogStamp(FileStamp(inode: 1, size: 7, changedAt: 2))
    private static let renamed = CatalogStamp(FileStamp(inode: 2, size: 5, changedAt: 1))

    private var watch = CatalogWatch(inForce: first, at: .zero)

    private mutating func look(_ stamp: CatalogStamp?, _ seconds: Double, signal: Bool = false) -> CatalogWatch.Step {
        watch.look(at: stamp, time: .seconds(seconds), isSignal: signal)
    }

    private mutating func verdict(
        _ stamp: CatalogStamp,
        lineFeed: Bool = true,
        opens: Bool = true
    ) -> CatalogWatch.Verdict {
        watch.verdict(on: stamp, endsWithLineFeed: lineFeed, takesOrOpens: opens)
    }

    @Test mutating func `an unchanged file is left alone, unless a signal asks for it`() {
        #expect(look(Self.first, 5) == .rest)
        #expect(look(Self.first, 6, signal: true) == .read)
        #expect(verdict(Self.first, lineFeed: false) == .take)
        #expect(look(Self.first, 7) == .rest)
    }

    @Test mutating func `a file replaced by rename is taken at once, whatever it opens`() {
        #expect(look(Self.renamed, 1) == .read)
        #expect(verdict(Self.renamed, lineFeed: false) == .take)
        #expect(look(Self.renamed, 2) == .rest)
        // A signal reads it again, and it is still the file that was renamed.
        #expect(look(Self.renamed, 3, signal: true) == .read)
        #expect(verdict(Self.renamed, lineFeed: false) == .take)
    }

    @Test mutating func `a file written in place is read after two seconds without a change`() {
        #expect(look(Self.written, 1) == .rest)
        #expect(look(Self.written, 2.9) == .rest)
        #expect(look(Self.rewritten, 3) == .rest)
        #expect(look(Self.rewritten, 4.9) == .rest)
        #expect(look(Self.rewritten, 5) == .read)
        #expect(verdict(Self.rewritten, opens: false) == .take)
        #expect(look(Self.rewritten, 6) == .rest)
    }

    @Test mutating func `a signal does not shorten the two seconds`() {
        #expect(look(Self.written, 1, signal: true) == .rest)
        #expect(look(Self.written, 2, signal: true) == .rest)
        #expect(look(Self.written, 3) == .read)
        #expect(verdict(Self.written) == .take)
    }

    @Test mutating func `what is written in place and opens something waits for a signal`() {
        #expect(look(Self.written, 1) == .rest)
        #expect(look(Self.written, 3) == .read)
        #expect(verdict(Self.written) == .awaitSignal)
        #expect(look(Self.written, 4) == .rest)
        #expect(look(Self.written, 5, signal: true) == .read)
        #expect(verdict(Self.written) == .take)
    }

    @Test mutating func `a signal sent before the change, or in the middle of it, counts for nothing`() {
        #expect(look(Self.first, 0.5, signal: true) == .read)
        #expect(verdict(Self.first, opens: false) == .take)
        #expect(look(Self.written, 1, signal: true) == .rest)
        #expect(look(Self.rewritten, 2) == .rest)
        #expect(look(Self.rewritten, 4) == .read)
        #expect(verdict(Self.rewritten) == .awaitSignal)
    }

    @Test mutating func `what does not end with a line feed is refused in place, signal or not`() {
        #expect(look(Self.written, 1) == .rest)
        #expect(look(Self.written, 3, signal: true) == .read)
        #expect(verdict(Self.written, lineFeed: false, opens: false) == .refuseUnfinished)
        #expect(look(Self.written, 4) == .rest)
        #expect(look(Self.written, 5, signal: true) == .read)
        #expect(verdict(Self.written, lineFeed: false, opens: false) == .refuseUnfinished)
    }

    @Test mutating func `a refused file that is mended in place waits as any other`() {
        #expect(look(Self.renamed, 1) == .read)
        watch.refused(Self.renamed)
        let mended = CatalogStamp(FileStamp(inode: 2, size: 9, changedAt: 3))
        #expect(look(mended, 2) == .rest)
        #expect(look(mended, 4) == .read)
        #expect(verdict(mended) == .awaitSignal)
    }

    @Test mutating func `a file that is gone is waited for, and one that comes back is another`() {
        #expect(look(nil, 1) == .rest)
        #expect(look(nil, 3) == .read)
        watch.refused(nil)
        #expect(look(nil, 4) == .rest)
        #expect(look(Self.renamed, 5) == .read)
        #expect(verdict(Self.renamed) == .take)
        #expect(look(nil, 6, signal: true) == .read)
    }
}
