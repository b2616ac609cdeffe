import DeepLinkFormats

/// Is the first line of a request that asks to resolve a link, in its plainest spelling: a link, and possibly a user.
///
/// Whatever is spelled in another way, or wrongly, is no such line; the plain way reads and reports it.
struct PlainTarget {
    /// What such a line begins with.
    static let start = Array("GET /v1/resolve?".utf8)

    /// What it ends with.
    private static let end = Array(" HTTP/1.1\r\n".utf8)

    /// The most bytes of the query: what is longer may also take longer to answer.
    private static let maximumQueryByteCount = 2048

    private static let link = Array("link=".utf8)
    private static let user = Array("user=".utf8)

    /// The bytes of queries in RFC 3986 §3.4, which all parsers read alike.
    private static let isQueryByte: [Bool] = {
        let marks = Array("-._~!$&'()*+,;=:@/?%".utf8)
        return (0...UInt8.max)
            .map { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: marks.contains(byte)
                }
            }
    }()

    /// How many bytes the line has, with its end.
    let byteCount: Int

    /// The link, decoded.
    let link: [UInt8]

    /// The user, decoded; `nil` where none is named.
    let user: String?

    /// Reads the line that bytes begin with; `nil` where it is another one, or not all there.
    init?(_ bytes: Span<UInt8>) {
        guard Self.start.begins(bytes, at: 0) else { return nil }
        let isQueryByte = Self.isQueryByte.span
        let limit = min(bytes.count, Self.start.count + Self.maximumQueryByteCount)
        var link: [UInt8]?
        var user: [UInt8]?
        var index = Self.start.count
        while true {
            let first = index
            while index < limit, bytes[index] != UInt8(ascii: "&"), isQueryByte[Int(bytes[index])] { index += 1 }
            guard index < limit else { return nil }
            if link == nil, Self.link.begins(bytes, at: first) {
                link = FormText.decode(bytes.extracting(first + Self.link.count..<index))
                guard link != nil else { return nil }
            } else if user == nil, Self.user.begins(bytes, at: first) {
                user = FormText.decode(bytes.extracting(first + Self.user.count..<index))
                guard user != nil else { return nil }
            } else {
                return nil
            }
            guard bytes[index] == UInt8(ascii: "&") else { break }
            index += 1
        }
        guard let link, Self.end.begins(bytes, at: index) else { return nil }
        self.link = link
        if let user {
            guard let text = FormText.text(user) else { return nil }
            self.user = text
        } else {
            self.user = nil
        }
        byteCount = index + Self.end.count
    }
}

extension [UInt8] {
    /// Tells whether these bytes stand at a place among others.
    fileprivate func begins(_ bytes: Span<UInt8>, at place: Int) -> Bool {
        guard bytes.count - place >= count else { return false }
        for index in indices where self[index] != bytes[place + index] { return false }
        return true
    }
}
