/// One well-formed deep link: the text as received, and the positions of its parts.
///
/// A relative reference, path and query alone, is a link without a scheme. Only a request that continues from a current
/// stack uses one.
///
/// A value of this type has passed the parser and needs no further syntax check. Parts are decoded on demand. Comparing
/// and hashing use the bytes as received, so `/a` and `/%61` are different links to the same destination.
///
/// ```swift
/// let link = try DeepLink("navigation://loremipsum.com/characters/character/1?sheet=test")
/// link.segments    // ["characters", "character", "1"]
/// link.queryItems  // [QueryItem(name: "sheet", value: "test")]
/// ```
package struct DeepLink: Hashable, Sendable {
    /// The maximum length of a link in bytes.
    ///
    /// A longer link throws ``LinkSyntaxError/Reason/tooLong``.
    package static let maximumByteCount = 8192

    /// The maximum number of path segments in a link, empty ones not counted.
    package static let maximumSegmentCount = 256

    /// The maximum number of query pairs in a link, empty ones not counted.
    package static let maximumPairCount = 128

    /// The link's UTF-8 bytes, as received.
    package let bytes: [UInt8]

    let spans: LinkSpans

    /// Parses a text, allowing a path without a leading slash for the given schemes.
    ///
    /// - Throws: ``LinkSyntaxError`` with the broken rule and its byte offset.
    /// - Complexity: O(*n*) in the bytes of the text.
    package init(_ text: String, rootless: RootlessSchemes = .none) throws(LinkSyntaxError) {
        try self.init(bytes: Array(text.utf8), rootless: rootless)
    }

    /// Parses the UTF-8 bytes of a link, allowing a path without a leading slash for the given schemes.
    ///
    /// - Throws: ``LinkSyntaxError``, as ``init(_:rootless:)`` does. Bytes that are not UTF-8 throw
    ///   ``LinkSyntaxError/Reason/badUTF8`` or, in the host, ``LinkSyntaxError/Reason/badHost``.
    /// - Complexity: O(*n*) in the number of bytes.
    package init(bytes: [UInt8], rootless: RootlessSchemes = .none) throws(LinkSyntaxError) {
        do throws(LinkSyntaxError) {
            spans = try LinkParser.parse(bytes.span)
        } catch {
            // The colon is right before the path.
            guard error.reason == .opaquePath || error.reason == .emptyPath,
                rootless.contains(bytes[..<(error.offset - 1)])
            else { throw error }
            spans = try LinkParser.parseRootless(bytes.span)
        }
        self.bytes = bytes
    }

    private init(_ bytes: [UInt8], spans: LinkSpans) {
        self.bytes = bytes
        self.spans = spans
    }

    /// Parses a link or, without a scheme, a relative reference: path and query (RFC 3986 §4.2).
    ///
    /// A reference begins with at most one slash, and may be empty. Its offsets count from its own first byte.
    ///
    /// - Throws: ``LinkSyntaxError``, as ``init(bytes:rootless:)`` does. A reference that begins with two slashes names a host
    ///   without a scheme, and throws ``LinkSyntaxError/Reason/noScheme``.
    /// - Complexity: O(*n*) in the number of bytes.
    package init(reference bytes: [UInt8], rootless: RootlessSchemes = .none) throws(LinkSyntaxError) {
        guard LinkParser.hasScheme(bytes.span) else {
            self.init(bytes, spans: try LinkParser.parseReference(bytes.span))
            return
        }
        try self.init(bytes: bytes, rootless: rootless)
    }

    /// Compares the bytes as received.
    package static func == (left: DeepLink, right: DeepLink) -> Bool { left.bytes == right.bytes }

    /// Hashes the bytes as received.
    package func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

extension DeepLink {
    /// The link as received.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Whether the link is a relative reference: path and query, without scheme and host.
    package var isRelative: Bool { spans.scheme.isEmpty }

    /// Whether the path follows the scheme without a slash, as in `matrix:u/alice` and `mailto:?subject=Hi`.
    package var isRootless: Bool {
        !isRelative && spans.path.start == spans.scheme.end + 1
            && (spans.path.isEmpty || bytes[spans.path.start] != ASCII.slash)
    }

    /// The scheme in lower case, without its colon (RFC 3986 §3.1: case-insensitive), empty for a relative reference.
    package var scheme: String { lowercased(spans.scheme) }

    /// The host, in lower case under `http` and `https`, otherwise as written, empty if there is none.
    package var host: String { spans.isWeb ? lowercased(spans.host) : raw(spans.host) }

    /// The port, unless absent or the default of `http` or `https`.
    package var port: Int? { spans.port.map(Int.init) }

    /// The host and the port as written, empty without a host.
    package var authority: String { spans.host.isEmpty ? "" : raw(LinkRange(spans.host.start, spans.path.start)) }

    /// The decoded path segments in order, empty ones left out.
    package var segments: [String] { segmentRanges(from: spans.path.start).map(decode) }

    /// The decoded query pairs in order, empty ones left out.
    package var queryItems: [QueryItem] {
        pairRanges.map { pair in QueryItem(name: decode(pair.name), value: pair.value.map(decode)) }
    }

    /// The decoded fragment, which is routed only if the link's origin declares so.
    package var fragment: String? { spans.fragment.map(decode) }

    private func decode(_ range: LinkRange) -> String { PercentEncoding.decode(bytes[range.start..<range.end]) }

    private func lowercased(_ range: LinkRange) -> String {
        String(decoding: bytes[range.start..<range.end].lazy.map(ASCII.lowercased), as: UTF8.self)
    }

    private func raw(_ range: LinkRange) -> String {
        String(decoding: bytes[range.start..<range.end], as: UTF8.self)
    }
}

extension DeepLink {
    /// Returns the ranges between the path's slashes from a position on, empty ones left out, still encoded.
    func segmentRanges(from position: Int) -> [LinkRange] {
        var ranges: [LinkRange] = []
        var position = position
        while let segment = nextSegment(from: position) {
            ranges.append(segment)
            position = segment.end
        }
        return ranges
    }

    /// The path, for walking its segments.
    @inline(__always)
    var pathBytes: PathBytes { PathBytes(bytes: bytes, end: spans.path.end) }

    /// Finds the first non-empty segment at or after a position of the path: a slash or the path's end.
    func nextSegment(from position: Int) -> LinkRange? { pathBytes.nextSegment(from: position) }

    /// The ranges between the query's ampersands, empty ones left out, still encoded.
    var pairRanges: ShortList<LinkPair> {
        var pairs = ShortList<LinkPair>()
        let bytes = bytes.span
        var start = spans.query.start
        let end = spans.query.end
        while start < end {
            var equals: Int?
            var isNameEncoded = false
            var stop = start
            while stop < end, bytes[stop] != ASCII.ampersand {
                if equals == nil {
                    switch bytes[stop] {
                    case ASCII.equals: equals = stop
                    case ASCII.percent, ASCII.plus: isNameEncoded = true
                    default: break
                    }
                }
                stop &+= 1
            }
            if stop > start {
                pairs.append(LinkPair(start: start, equals: equals, end: stop, isNameEncoded: isNameEncoded))
            }
            start = stop + 1
        }
        return pairs
    }
}

/// One decoded query pair of a link.
package struct QueryItem: Hashable, Sendable {
    /// The decoded text before the first equals sign.
    package let name: String

    /// The decoded text after the first equals sign, or `nil` if the pair has none.
    package let value: String?

    /// Creates a pair from its decoded parts.
    package init(name: String, value: String?) {
        self.name = name
        self.value = value
    }

    /// Compares both parts byte by byte.
    package static func == (left: QueryItem, right: QueryItem) -> Bool {
        left.name.bytewise == right.name.bytewise && left.value?.bytewise == right.value?.bytewise
    }

    /// Hashes both parts byte by byte.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(name.bytewise)
        hasher.combine(value?.bytewise)
    }
}

extension QueryItem {
    /// The pair as links print it: percent-encoded, and with an equals sign only before a value.
    package var encoded: String {
        let name = PercentEncoding.encode(name)
        return value.map { "\(name)=\(PercentEncoding.encode($0))" } ?? name
    }

    /// Returns an address with pairs at the end of its query, in front of its fragment.
    package static func appending(_ items: [QueryItem], to address: String) -> String {
        guard !items.isEmpty else { return address }
        let query = items.map { $0.encoded }.joined(separator: "&")
        let end = address.utf8.firstIndex(of: ASCII.hash) ?? address.endIndex
        let separator: String
        if let start = address.utf8[..<end].firstIndex(of: ASCII.question) {
            let last = address.utf8[..<end].last
            let isOpen = address.utf8.index(after: start) == end || last == ASCII.ampersand
            separator = isOpen ? "" : "&"
        } else {
            separator = "?"
        }
        return address[..<end] + separator + query + address[end...]
    }
}
