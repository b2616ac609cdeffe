/// The path of a link as it is walked: the link's bytes, and where the path ends in them.
struct PathBytes {
    let bytes: [UInt8]
    let end: Int

    /// Finds the first non-empty segment at or after a position of the path; the position is a slash or the end.
    ///
    /// Segments are found anew each time instead of being listed, so that matching allocates nothing.
    @inline(__always)
    func nextSegment(from position: Int) -> LinkRange? {
        let bytes = bytes.span
        var start = position
        while start < end, bytes[start] == ASCII.slash { start &+= 1 }
        guard start < end else { return nil }
        var stop = start
        while stop + ByteWord.size <= bytes.count {
            let slash = ByteWord(bytes, from: stop).firstIndex(of: ASCII.slash)
            stop += slash
            if slash < ByteWord.size || stop >= end { return LinkRange(start, min(stop, end)) }
        }
        while stop < end, bytes[stop] != ASCII.slash { stop &+= 1 }
        return LinkRange(start, stop)
    }

    /// Counts the segments from a position on.
    func segmentCount(from position: Int) -> Int {
        var count = 0
        var next = nextSegment(from: position)
        while let segment = next {
            count += 1
            next = nextSegment(from: segment.end)
        }
        return count
    }
}
