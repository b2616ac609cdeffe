import DeepLinkCatalog
import DeepLinkCore
import Testing

/// Tests of when the files of a catalog with `include` are read and taken together.
@Suite struct IncludedFilesWatchTests {
    private static let own = FileStamp(inode: 1, size: 10, changedAt: 0)
    private static let (oneFile, otherFile) = (stamp(2), stamp(3))
    private static let start = CatalogStamp(own, including: ["a.yaml": oneFile, "b.yaml": otherFile])

    private var watch = CatalogWatch(inForce: start, at: .zero)

    private static func stamp(_ inode: UInt64, changedAt time: Int = 0) -> FileStamp {
        FileStamp(inode: inode, size: 10, changedAt: time)
    }

    private mutating func look(_ stamp: CatalogStamp?, _ seconds: Double, signal: Bool = false) -> CatalogWatch.Step {
        watch.look(at: stamp, time: .seconds(seconds), isSignal: signal)
    }

    private mutating func verdict(_ stamp: CatalogStamp, lineFeed: Bool = true) -> CatalogWatch.Verdict {
        watch.verdict(on: stamp, endsWithLineFeed: lineFeed, takesOrOpens: true)
    }

    @Test mutating func `files that are renamed one by one are read together, two seconds after the last`() {
        let half = CatalogStamp(Self.own, including: ["a.yaml": Self.stamp(4), "b.yaml": Self.otherFile])
        let whole = CatalogStamp(Self.own, including: ["a.yaml": Self.stamp(4), "b.yaml": Self.stamp(5)])
        #expect(look(half, 1) == .rest)
        #expect(look(half, 2.9) == .rest)
        #expect(look(whole, 3) == .rest)
        #expect(look(whole, 4.9, signal: true) == .rest)
        #expect(look(whole, 5) == .read)
        #expect(watch.writtenInPlace(whole).isEmpty)
        #expect(verdict(whole, lineFeed: false) == .take)
        #expect(look(whole, 6) == .rest)
    }

    @Test mutating func `a new file is a change, and so is one that is gone`() {
        let more = CatalogStamp(
            Self.own,
            including: ["a.yaml": Self.oneFile, "b.yaml": Self.otherFile, "c.yaml": Self.stamp(6)]
        )
        #expect(look(more, 1) == .rest)
        #expect(look(more, 3) == .read)
        #expect(verdict(more) == .take)
        #expect(look(Self.start, 4) == .rest)
        #expect(look(Self.start, 6) == .read)
        #expect(verdict(Self.start) == .take)
        // The last included file is gone, and may be about to come back.
        #expect(look(CatalogStamp(Self.own), 7) == .rest)
        #expect(look(CatalogStamp(Self.own), 9) == .read)
    }

    @Test mutating func `one file that is written in place holds back the whole`() {
        let written = CatalogStamp(
            Self.own,
            including: ["a.yaml": Self.stamp(2, changedAt: 1), "b.yaml": Self.otherFile]
        )
        #expect(look(written, 1) == .rest)
        #expect(look(written, 3) == .read)
        #expect(watch.writtenInPlace(written) == ["a.yaml"])
        #expect(verdict(written) == .awaitSignal)
        // Another file that is renamed does not vouch for it.
        let other = CatalogStamp(
            Self.own,
            including: ["a.yaml": Self.stamp(2, changedAt: 1), "b.yaml": Self.stamp(7)]
        )
        #expect(look(other, 4) == .rest)
        #expect(look(other, 6) == .read)
        #expect(watch.writtenInPlace(other) == ["a.yaml"])
        #expect(verdict(other) == .awaitSignal)
        #expect(look(other, 7, signal: true) == .read)
        #expect(verdict(other) == .take)
        // An applied version no longer holds back others.
        let later = CatalogStamp(
            Self.own,
            including: ["a.yaml": Self.stamp(2, changedAt: 1), "b.yaml": Self.stamp(8)]
        )
        #expect(look(later, 8) == .rest)
        #expect(look(later, 10) == .read)
        #expect(verdict(later, lineFeed: false) == .take)
    }

    @Test mutating func `a file that is written in place and has no line feed at its end refuses the whole`() {
        let written = CatalogStamp(
            Self.own,
            including: ["a.yaml": Self.oneFile, "b.yaml": Self.stamp(3, changedAt: 1)]
        )
        #expect(look(written, 1) == .rest)
        #expect(look(written, 3, signal: true) == .read)
        #expect(verdict(written, lineFeed: false) == .refuseUnfinished)
        let renamed = CatalogStamp(Self.own, including: ["a.yaml": Self.oneFile, "b.yaml": Self.stamp(9)])
        #expect(look(renamed, 4) == .rest)
        #expect(look(renamed, 6) == .read)
        #expect(verdict(renamed, lineFeed: false) == .take)
    }

    @Test mutating func `a catalog that includes files for the first time waits for them too`() {
        let alone = CatalogStamp(Self.own)
        watch = CatalogWatch(inForce: alone, at: .zero)
        let changed = CatalogStamp(Self.stamp(11))
        #expect(look(changed, 1, signal: true) == .read)
        let wide = CatalogStamp(Self.stamp(11), including: ["a.yaml": Self.oneFile])
        watch.widen(to: wide, time: .seconds(1))
        #expect(look(wide, 2) == .rest)
        // The signal came before it was known which files the catalog has.
        #expect(look(wide, 3) == .read)
        #expect(watch.verdict(on: wide, endsWithLineFeed: true, takesOrOpens: true, losesUsers: true) == .take)
    }
}
