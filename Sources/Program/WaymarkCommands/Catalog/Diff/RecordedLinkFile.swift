import DeepLinkComparison
import DeepLinkCore
import Foundation

/// A file of opened links, read in pieces: a list with counts, the cases of `waymark check`, or a resolution log.
struct RecordedLinkFile {
    /// The longest line, in bytes.
    private static let maximumLineByteCount = 1 << 20

    private var pieces: InputPieces

    /// The bytes that were read but not yet returned, or `nil` at the end of the file.
    private var rest: [UInt8]? = []

    /// The number of these bytes that contain no end of a piece.
    private var searchedCount = 0

    private var lineNumber = 1

    /// Whether the file is a YAML list, or `nil` before anything was read.
    private var isYAML: Bool?

    /// Replays all links of a file on all cores, with a progress bar on terminals.
    ///
    /// - Throws: ``CommandError`` of code 65 for the first malformed line, and of code 69 if the file cannot be read.
    static func replay(_ path: String, into comparison: inout CatalogComparison) async throws {
        var file = RecordedLinkFile(pieces: try InputPieces(path))
        let byteCount = file.pieces.byteCount
        var progress = ProgressBar(total: byteCount)
        defer { progress.finish() }
        var links = DistinctLinks()
        var doneByteCount = 0
        while true {
            var pieces: [RecordedLinkPiece] = []
            while pieces.count < ConcurrentWork.shareCount, let piece = try file.next() { pieces.append(piece) }
            let name = file.pieces.name
            for result in await ConcurrentWork.results(of: pieces, { piece in piece.links(of: name) }) {
                for link in try result.get() { links.note(link) }
            }
            if pieces.isEmpty || links.isFull {
                let blank = comparison.replay
                let shares = links.shares(ConcurrentWork.shareCount)
                for part in await ConcurrentWork.results(of: shares, { share in share.replayed(by: blank) }) {
                    comparison.add(part)
                }
                links = DistinctLinks()
            }
            guard !pieces.isEmpty else { return }
            doneByteCount += pieces.reduce(0) { $0 + $1.bytes.count }
            if byteCount > 0 { progress.update(min(doneByteCount, byteCount)) }
        }
    }

    /// Reads the next piece, or returns `nil` at the end of the file.
    private mutating func next() throws(CommandError) -> RecordedLinkPiece? {
        let name = pieces.name
        while var bytes = rest {
            let piece = try pieces.next()
            rest = nil
            bytes += piece
            if self.isYAML == nil { try CSVFile.refuse(bytes, named: name, members: "`link` and `count`") }
            let isYAML = self.isYAML ?? LinkCaseFile.isYAML(bytes, named: name)
            self.isYAML = isYAML
            var end = bytes.count
            if !piece.isEmpty {
                guard let place = Self.lastEnd(in: bytes, from: searchedCount, isYAML: isYAML) else {
                    guard isYAML || bytes.count <= Self.maximumLineByteCount else {
                        throw CommandError.badData(
                            "\(name):\(lineNumber) has more than \(Self.maximumLineByteCount) bytes."
                        )
                    }
                    searchedCount = max(0, bytes.count - 2)
                    rest = bytes
                    continue
                }
                end = place
                rest = Array(bytes[end...])
                searchedCount = 0
                bytes.removeSubrange(end...)
            }
            guard end > 0 else { return nil }
            let first = lineNumber
            lineNumber += bytes.count { $0 == UInt8(ascii: "\n") }
            return RecordedLinkPiece(bytes: bytes, firstLine: first, isYAML: isYAML)
        }
        return nil
    }

    /// Returns the end of the last whole line, or of the last whole entry of a YAML list.
    ///
    /// Indented entries and lists in brackets are one piece, since the next entry begins at the margin.
    private static func lastEnd(in bytes: [UInt8], from start: Int, isYAML: Bool) -> Int? {
        guard isYAML else {
            return bytes[start...].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }
        }
        var place = bytes.count - 2
        while place > start {
            if bytes[place] == UInt8(ascii: "-"), bytes[place - 1] == UInt8(ascii: "\n"),
                bytes[place + 1] == UInt8(ascii: " ")
            {
                return place
            }
            place -= 1
        }
        return nil
    }
}

/// Concurrent work on all cores.
enum ConcurrentWork {
    /// The number of shares that work is split into: several for each core, so that a slow one delays little.
    static let shareCount = 4 * max(1, ProcessInfo.processInfo.activeProcessorCount)

    /// Transforms values concurrently, and returns the results in the same order.
    static func results<Thing: Sendable, Outcome: Sendable>(
        of things: [Thing],
        _ work: @escaping @Sendable (Thing) -> Outcome
    ) async -> [Outcome] {
        await withTaskGroup(of: (Int, Outcome).self) { group in
            for (place, thing) in things.enumerated() {
                group.addTask { @concurrent in (place, work(thing)) }
            }
            var outcomes: [Int: Outcome] = [:]
            for await (place, outcome) in group { outcomes[place] = outcome }
            return things.indices.compactMap { outcomes[$0] }
        }
    }
}
