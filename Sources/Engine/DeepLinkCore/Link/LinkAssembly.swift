/// A relative reference assembled from parts of a link, with their original offsets.
struct LinkAssembly {
    private let link: DeepLink
    private var bytes: [UInt8] = []
    private var runs: [LinkOffsets.Run] = []

    /// Creates an empty assembly for a link.
    init(of link: DeepLink) {
        self.link = link
        bytes.reserveCapacity(link.bytes.count + 2)
    }

    /// Appends a range of the link, optionally in lower case.
    ///
    /// Escapes a raw number sign, which only a fragment may contain.
    mutating func append(_ range: Range<Int>, inLowerCase: Bool = false) {
        runs.append(LinkOffsets.Run(place: bytes.count, original: range.lowerBound, isStretch: true))
        for index in range {
            let byte = link.bytes[index]
            guard byte != ASCII.hash else {
                runs.append(LinkOffsets.Run(place: bytes.count, original: index, isStretch: false))
                bytes += "%23".utf8
                runs.append(LinkOffsets.Run(place: bytes.count, original: index + 1, isStretch: true))
                continue
            }
            bytes.append(inLowerCase ? ASCII.lowercased(byte) : byte)
        }
    }

    /// Appends a separator before a part that begins at an offset of the link.
    mutating func append(separator: UInt8, at offset: Int) {
        runs.append(LinkOffsets.Run(place: bytes.count, original: offset, isStretch: false))
        bytes.append(separator)
    }

    /// Parses the assembled reference.
    ///
    /// - Throws: ``LinkSyntaxError`` with the offset in the link as sent.
    func finish(
        within outer: LinkOffsets?,
        hasFragment: Bool
    ) throws(LinkSyntaxError) -> (link: DeepLink, offsets: LinkOffsets) {
        let offsets = LinkOffsets(runs, in: link, within: outer, hasFragment: hasFragment)
        do throws(LinkSyntaxError) {
            return (try DeepLink(reference: bytes), offsets)
        } catch {
            throw LinkSyntaxError(error.reason, at: offsets.original(of: error.offset))
        }
    }
}
