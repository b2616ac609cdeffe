/// The parser of links: a single pass that finds the parts in the bytes, without copies.
///
/// Grammar: `scheme:[//authority]/path[?query][#fragment]`, after RFC 3986 §3, and narrower where URL parsers disagree
/// (decision record 2). The first fault is reported. Linear in the bytes, which are at most 8,192.
struct LinkParser {
    private var position = 0
    private var segmentCount = 0
    private var spans = LinkSpans()

    /// Parses the bytes of one link.
    ///
    /// - Throws: ``LinkSyntaxError`` for every text that isn't a link.
    static func parse(_ bytes: Span<UInt8>) throws(LinkSyntaxError) -> LinkSpans {
        guard bytes.count > 0 else { throw LinkSyntaxError(.empty, at: 0) }
        try checkEnds(of: bytes)
        var parser = LinkParser()
        try parser.parseScheme(of: bytes)
        try parser.parseAuthority(of: bytes)
        try parser.parsePath(of: bytes)
        try parser.parseQuery(of: bytes)
        try parser.parseFragment(of: bytes)
        return parser.spans
    }

    /// Parses the bytes of a link whose path follows the colon without a slash, or is empty.
    ///
    /// - Precondition: ``parse(_:)`` has found an opaque or empty path.
    static func parseRootless(_ bytes: Span<UInt8>) throws(LinkSyntaxError) -> LinkSpans {
        var parser = LinkParser()
        try parser.parseScheme(of: bytes)
        let start = parser.position
        try parser.parseSegment(of: bytes)
        try parser.parsePath(of: bytes)
        parser.spans.path = LinkRange(start, parser.position)
        try parser.parseQuery(of: bytes)
        try parser.parseFragment(of: bytes)
        return parser.spans
    }

    /// Parses the bytes of a path and query alone.
    ///
    /// - Precondition: the bytes are without a scheme.
    /// - Throws: ``LinkSyntaxError`` for every text that isn't a reference.
    static func parseReference(_ bytes: Span<UInt8>) throws(LinkSyntaxError) -> LinkSpans {
        var parser = LinkParser()
        guard bytes.count > 0 else { return parser.spans }
        try checkEnds(of: bytes)
        if bytes[0] == ASCII.slash {
            guard bytes.count == 1 || bytes[1] != ASCII.slash else { throw LinkSyntaxError(.noScheme, at: 0) }
        } else if bytes[0] != ASCII.question, bytes[0] != ASCII.hash {
            // The path's first segment has no slash before it.
            try parser.parseSegment(of: bytes)
        }
        try parser.parsePath(of: bytes)
        try parser.parseQuery(of: bytes)
        try parser.parseFragment(of: bytes)
        return parser.spans
    }

    /// Returns whether a colon precedes every delimiter of another part (RFC 3986 §4.2).
    static func hasScheme(_ bytes: Span<UInt8>) -> Bool {
        for index in bytes.indices {
            switch bytes[index] {
            case ASCII.colon: return true
            case ASCII.slash, ASCII.question, ASCII.hash: return false
            default: continue
            }
        }
        return false
    }

    private static func checkEnds(of bytes: Span<UInt8>) throws(LinkSyntaxError) {
        guard bytes.count <= DeepLink.maximumByteCount else {
            throw LinkSyntaxError(.tooLong, at: DeepLink.maximumByteCount)
        }
        guard bytes[0] != ASCII.space else { throw LinkSyntaxError(.surroundingSpace, at: 0) }
        guard bytes[bytes.count - 1] != ASCII.space else {
            throw LinkSyntaxError(.surroundingSpace, at: bytes.count - 1)
        }
    }

    // MARK: Scheme and authority

    private mutating func parseScheme(of bytes: Span<UInt8>) throws(LinkSyntaxError) {
        guard ASCII.isLetter(bytes[0]) else { throw LinkSyntaxError(.noScheme, at: 0) }
        position = Self.end(of: ByteSet.scheme, in: bytes, from: 1)
        guard position < bytes.count, bytes[position] == ASCII.colon else {
            throw LinkSyntaxError(.noScheme, at: position)
        }
        spans.scheme = LinkRange(0, position)
        spans.isWeb = scheme(of: bytes, equals: "http") || scheme(of: bytes, equals: "https")
        position += 1
    }

    private func scheme(of bytes: Span<UInt8>, equals name: StaticString) -> Bool {
        guard spans.scheme.count == name.utf8CodeUnitCount else { return false }
        return name.withUTF8Buffer { name in
            for index in name.indices where ASCII.lowercased(bytes[index]) != name[index] { return false }
            return true
        }
    }

    private mutating func parseAuthority(of bytes: Span<UInt8>) throws(LinkSyntaxError) {
        guard position < bytes.count, bytes[position] != ASCII.question, bytes[position] != ASCII.hash else {
            throw LinkSyntaxError(.emptyPath, at: position)
        }
        guard bytes[position] != ASCII.backslash else { throw LinkSyntaxError(.backslash, at: position) }
        guard bytes[position] == ASCII.slash else { throw LinkSyntaxError(.opaquePath, at: position) }
        guard position + 1 < bytes.count, bytes[position + 1] == ASCII.slash else {
            guard !spans.isWeb else { throw LinkSyntaxError(.missingHost, at: position) }
            return
        }
        position += 2
        let start = position
        if skimPlainHost(of: bytes) {
            spans.host = LinkRange(start, position)
            return
        }
        var at: Int?
        while position < bytes.count, !endsAuthority(bytes[position]) {
            switch bytes[position] {
            case 0x00..<0x20, 0x7F: throw LinkSyntaxError(.controlCharacter, at: position)
            case ASCII.backslash: throw LinkSyntaxError(.backslash, at: position)
            case ASCII.at: at = at ?? position
            default: break
            }
            position += 1
        }
        if let at { throw LinkSyntaxError(.userinfo, at: at) }
        try parseHostAndPort(of: bytes, from: start, to: position)
    }

    /// Skips a plain host that fills the authority, which is the common case.
    ///
    /// Any other authority, and every fault, is left to the full check.
    private mutating func skimPlainHost(of bytes: Span<UInt8>) -> Bool {
        var end = position
        while true {
            let label = end
            end = Self.end(of: ByteSet.hostLabel, in: bytes, from: label)
            guard end > label else { return false }
            guard end < bytes.count, bytes[end] == ASCII.dot else { break }
            end += 1
            // A name may end with the dot of the DNS root.
            if end == bytes.count || endsAuthority(bytes[end]) { break }
        }
        guard end == bytes.count || endsAuthority(bytes[end]) else { return false }
        position = end
        return true
    }

    /// Returns the first position from an index on with a byte that isn't in a set.
    @inline(__always)
    private static func end(of set: ByteSet, in bytes: Span<UInt8>, from start: Int) -> Int {
        var index = start
        while index < bytes.count, set.contains(bytes[index]) { index &+= 1 }
        return index
    }

    private func endsAuthority(_ byte: UInt8) -> Bool {
        byte == ASCII.slash || byte == ASCII.question || byte == ASCII.hash
    }

    private mutating func parseHostAndPort(
        of bytes: Span<UInt8>,
        from start: Int,
        to end: Int
    ) throws(LinkSyntaxError) {
        guard start == end || bytes[start] != UInt8(ascii: "[") else { throw LinkSyntaxError(.ipHost, at: start) }
        var hostEnd = start
        while hostEnd < end, bytes[hostEnd] != ASCII.colon {
            let byte = bytes[hostEnd]
            let isEmptyLabel = byte == ASCII.dot && (hostEnd == start || bytes[hostEnd - 1] == ASCII.dot)
            guard ASCII.isUnreserved(byte) || ASCII.isSubDelimiter(byte), !isEmptyLabel else {
                throw LinkSyntaxError(.badHost, at: hostEnd)
            }
            hostEnd += 1
        }
        if hostEnd == start {
            guard !spans.isWeb else { throw LinkSyntaxError(.missingHost, at: start) }
            guard hostEnd == end else { throw LinkSyntaxError(.badHost, at: start) }
        }
        spans.host = LinkRange(start, hostEnd)
        guard hostEnd < end else { return }
        var port = 0
        for index in hostEnd + 1..<end {
            guard ASCII.isDigit(bytes[index]) else { throw LinkSyntaxError(.badPort, at: index) }
            port = port * 10 + Int(bytes[index] - ASCII.zero)
            guard port <= 65_535 else { throw LinkSyntaxError(.badPort, at: hostEnd + 1) }
        }
        let isDefault =
            (port == 80 && scheme(of: bytes, equals: "http")) || (port == 443 && scheme(of: bytes, equals: "https"))
        if hostEnd + 1 < end, !isDefault { spans.port = UInt16(port) }
    }

    // MARK: Path, query and fragment

    private mutating func parsePath(of bytes: Span<UInt8>) throws(LinkSyntaxError) {
        let start = spans.scheme.isEmpty ? 0 : position
        while position < bytes.count, bytes[position] == ASCII.slash {
            position += 1
            try parseSegment(of: bytes)
        }
        spans.path = LinkRange(start, position)
    }

    private mutating func parseSegment(of bytes: Span<UInt8>) throws(LinkSyntaxError) {
        let start = position
        try skimText(of: bytes, over: ByteSet.segment)
        guard position > start else { return }
        try checkSegment(of: bytes, from: start)
        segmentCount += 1
        guard segmentCount <= DeepLink.maximumSegmentCount else { throw LinkSyntaxError(.tooLong, at: start) }
    }

    /// Rejects `.` and `..`, also escaped (RFC 3986 §3.3: they denote relative positions).
    @inline(__always)
    private func checkSegment(of bytes: Span<UInt8>, from start: Int) throws(LinkSyntaxError) {
        // The two dots take at most six bytes, and begin with a dot or a percent sign.
        guard position - start <= 6, bytes[start] == ASCII.dot || bytes[start] == ASCII.percent else { return }
        var index = start
        var count = 0
        while index < position {
            if bytes[index] == ASCII.dot {
                index += 1
            } else if index + 2 < position, bytes[index] == ASCII.percent, bytes[index + 1] == UInt8(ascii: "2"),
                bytes[index + 2] | 0x20 == UInt8(ascii: "e")
            {
                index += 3
            } else {
                return
            }
            count += 1
        }
        if count <= 2 { throw LinkSyntaxError(.dotSegment, at: start) }
    }

    private mutating func parseQuery(of bytes: Span<UInt8>) throws(LinkSyntaxError) {
        guard position < bytes.count, bytes[position] == ASCII.question else { return }
        position += 1
        let start = position
        var pairCount = 0
        while position < bytes.count, bytes[position] != ASCII.hash {
            let pair = position
            // The name and the value are separate texts. A character may not span the `=` between them, which holds
            // because `=` is ASCII.
            try skimText(of: bytes, over: ByteSet.name)
            if position < bytes.count, bytes[position] == ASCII.equals {
                try skimText(of: bytes, over: ByteSet.value, allowingLineEnds: true)
            }
            if position > pair { pairCount += 1 }
            guard pairCount <= DeepLink.maximumPairCount else { throw LinkSyntaxError(.tooLong, at: pair) }
            if position < bytes.count, bytes[position] == ASCII.ampersand { position += 1 }
        }
        spans.query = LinkRange(start, position)
    }

    private mutating func parseFragment(of bytes: Span<UInt8>) throws(LinkSyntaxError) {
        guard position < bytes.count else { return }
        position += 1
        let start = position
        try skimText(of: bytes, over: ByteSet.fragment)
        spans.fragment = LinkRange(start, position)
    }

    /// Skips to the byte that ends a text, checking escapes, UTF-8 and forbidden characters on the way.
    @inline(__always)
    private mutating func skimText(
        of bytes: Span<UInt8>,
        over plain: ByteSet,
        allowingLineEnds: Bool = false
    ) throws(LinkSyntaxError) {
        while true {
            position = Self.end(of: plain, in: bytes, from: position)
            guard position < bytes.count else { return }
            let byte = bytes[position]
            guard byte != ASCII.backslash else { throw LinkSyntaxError(.backslash, at: position) }
            guard byte == ASCII.percent || byte >= 0x7F || byte < 0x20 else { return }
            try skimUnusualText(of: bytes, allowingLineEnds: allowingLineEnds)
        }
    }

    /// Skips a run of escapes and raw bytes outside printable ASCII.
    ///
    /// Optionally, tabs and line ends may be escaped.
    ///
    /// The run must end with a whole character: the next byte is ASCII, or the link ends. A character is either raw or
    /// escaped, not half of each. Otherwise the link itself would not be UTF-8, although its decoded parts are.
    private mutating func skimUnusualText(
        of bytes: Span<UInt8>,
        allowingLineEnds: Bool
    ) throws(LinkSyntaxError) {
        var validator = UTF8Validator()
        var character = position
        while position < bytes.count {
            if validator.isComplete { character = position }
            let raw = bytes[position]
            guard raw == ASCII.percent || raw >= 0x7F || raw < 0x20 else { break }
            guard (raw == ASCII.percent) == (bytes[character] == ASCII.percent) else {
                throw LinkSyntaxError(.badUTF8, at: character)
            }
            let byte = raw == ASCII.percent ? try decodedEscape(of: bytes) : raw
            switch validator.take(byte) {
            case .accepted: break
            case .malformed: throw LinkSyntaxError(.badUTF8, at: character)
            case .controlCharacter:
                guard allowingLineEnds, raw == ASCII.percent, ASCII.isTabOrLineEnd(byte) else {
                    throw LinkSyntaxError(.controlCharacter, at: character)
                }
            }
            position += raw == ASCII.percent ? 3 : 1
        }
        guard validator.isComplete else { throw LinkSyntaxError(.badUTF8, at: character) }
    }

    private func decodedEscape(of bytes: Span<UInt8>) throws(LinkSyntaxError) -> UInt8 {
        guard position + 2 < bytes.count, let high = ASCII.hexValue(bytes[position + 1]),
            let low = ASCII.hexValue(bytes[position + 2])
        else { throw LinkSyntaxError(.badPercent, at: position) }
        return high << 4 | low
    }
}

/// The schemes whose links may have a path without a leading slash, as in `matrix:u/alice`, or an empty one (RFC 3986
/// §3.3, `path-rootless` and `path-empty`).
///
/// A link of any other scheme without that slash throws ``LinkSyntaxError/Reason/opaquePath``: it is meant for another
/// program, as `mailto:a@b.c` is.
package struct RootlessSchemes: Sendable {
    /// The names in lower case, or `nil` for every scheme.
    private let names: [[UInt8]]?

    private init(_ names: [[UInt8]]?) {
        self.names = names
    }

    /// Creates the set of the listed schemes.
    init(_ names: some Sequence<String>) {
        self.init(names.map { Array($0.utf8) })
    }

    /// No scheme, the default without a declaration.
    package static let none = RootlessSchemes([])

    /// Every scheme, for a link that was accepted before.
    package static let all = RootlessSchemes(nil)

    /// Returns whether the set contains a scheme, ignoring case.
    func contains(_ scheme: ArraySlice<UInt8>) -> Bool {
        names?.contains { $0.elementsEqual(scheme.lazy.map(ASCII.lowercased)) } ?? true
    }
}
