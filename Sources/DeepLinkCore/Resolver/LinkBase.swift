/// Is what a printed link has before its routes: the origin, and the link whose scheme and host are taken over.
struct LinkBase {
    /// Index into ``RouteCatalog/origins``.
    let origin: Int

    /// The link of that origin; without one, the scheme and the first host are the origin's own.
    var link: DeepLink?

    /// Appends scheme, authority and the segments that stand before those of the routes.
    ///
    /// Where the first segment is to stand in the place of the host, ``finish(_:from:in:)`` puts it there.
    func begin(_ bytes: inout [UInt8], in catalog: RouteCatalog) {
        if let link {
            append(link.spans.scheme, of: link, inLowerCase: true, to: &bytes)
        } else {
            bytes += catalog.origins[origin].scheme.utf8
        }
        bytes += "://".utf8
        guard catalog.origins[origin].authority == .hosts else { return }
        if let link {
            append(link.spans.host, of: link, inLowerCase: link.spans.isWeb, to: &bytes)
        } else {
            bytes += (catalog.origins[origin].hosts.first ?? "").utf8
        }
    }

    private func append(_ range: LinkRange, of link: DeepLink, inLowerCase: Bool, to bytes: inout [UInt8]) {
        for index in range.start..<range.end {
            bytes.append(inLowerCase ? ASCII.lowercased(link.bytes[index]) : link.bytes[index])
        }
    }

    /// Ends the path that begins at an index, each of its segments after a slash.
    func finish(_ bytes: inout [UInt8], from start: Int, in catalog: RouteCatalog) {
        guard bytes.count > start else {
            bytes.append(ASCII.slash)
            return
        }
        guard catalog.origins[origin].authority == .segment else { return }
        let first = bytes[(start + 1)...].prefix { $0 != ASCII.slash }
        if Self.isHost(first) { bytes.remove(at: start) }
    }

    /// Tells whether a segment reads the same in the place of the host.
    private static func isHost(_ segment: ArraySlice<UInt8>) -> Bool {
        guard !segment.isEmpty, let link = try? DeepLink(bytes: Array("x://".utf8) + segment) else { return false }
        return link.host.utf8.elementsEqual(segment) && link.port == nil
    }
}
