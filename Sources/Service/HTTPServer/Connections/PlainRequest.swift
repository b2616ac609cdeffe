import HTTPTypes

/// A complete request in the usual form: `GET`, `HEAD` or `POST` of HTTP/1.1, a target that begins with a slash, fields
/// of printable ASCII, and at most a short body of known length.
///
/// It is read in one pass over its bytes, at a fifth of the cost of SwiftNIO's parser and decoder (decision record 13).
/// All other forms are left to them, so that this parser accepts nothing that they would refuse or read differently.
/// `PlainRequestTests` compares the two.
struct PlainRequest {
    /// The maximum size of a plain head, in bytes.
    ///
    /// Longer ones are rare, and may exceed a limit.
    private static let maximumHeadByteCount = 8 * 1024

    /// The maximum number of digits of a plain length.
    private static let maximumLengthDigitCount = 5

    private static var carriageReturn: UInt8 { UInt8(ascii: "\r") }
    private static var lineFeed: UInt8 { UInt8(ascii: "\n") }
    private static var space: UInt8 { UInt8(ascii: " ") }

    let head: RequestHead

    /// Whether the client asks to close the connection after the response.
    let isLast: Bool

    /// The number of bytes before the body.
    let headByteCount: Int

    /// The length of the body, in bytes.
    let bodyByteCount: Int

    /// Reads the request at the beginning of the bytes, or returns `nil` if they don't contain a complete plain
    /// request.
    ///
    /// - Parameters:
    ///   - bytes: the bytes that have arrived.
    ///   - texts: the texts of the connection's earlier requests, for reuse.
    ///   - responder: the responder of the connection, which selects the fields that are read only on demand.
    ///   - id: returns the id of the request, given the `X-Request-Id` fields.
    /// - Complexity: linear in the length of the head, of which at most 8 KiB are read.
    init?(
        _ bytes: Span<UInt8>,
        among texts: inout RepeatedTexts,
        for responder: any ConnectionResponder,
        id: (FieldValues) -> String
    ) {
        let limit = min(bytes.count, Self.maximumHeadByteCount)
        guard let (method, targetStart) = Self.method(bytes),
            let targetEnd = Self.targetEnd(bytes, from: targetStart, to: limit)
        else { return nil }
        var fields = RequestFields(wanted: responder.wantedFields(for: bytes.extracting(targetStart..<targetEnd)))
        texts.begin()
        let end = Self.read(
            &fields,
            among: &texts,
            in: bytes,
            from: targetEnd + Self.version.utf8CodeUnitCount,
            to: limit
        )
        guard let end, let isLast = Self.endsConnection(fields.connection),
            let length = Self.bodyLength(fields.contentLength),
            length <= bytes.count - end,
            fields.transferEncoding.count == 0, fields.expect.count == 0, fields.upgrade.count == 0
        else { return nil }
        if !texts.repeatsHost {
            guard (try? RequestHeadRules.checkHost(fields.host)) != nil else { return nil }
            texts.rememberHost(of: fields)
        }
        self.isLast = isLast
        headByteCount = end
        bodyByteCount = length
        let target = String(ascii: bytes.extracting(targetStart..<targetEnd))
        let name = id(fields.requestID)
        let pathByteCount = RequestHead.pathByteCount(of: target)
        let form = responder.route(target, pathByteCount: pathByteCount, by: method, fields: fields)
        head = RequestHead(
            method,
            target: target,
            pathByteCount: pathByteCount,
            fields: consume fields,
            takesLines: form.takesLines,
            id: name
        )
    }

    // MARK: The first line

    /// The text after the target.
    private static var version: StaticString { " HTTP/1.1\r\n" }

    /// Returns the method, and the offset of the target.
    private static func method(_ bytes: Span<UInt8>) -> (HTTPRequest.Method, Int)? {
        if begins(bytes, with: "GET ", at: 0) { return (.get, 4) }
        if begins(bytes, with: "POST ", at: 0) { return (.post, 5) }
        return begins(bytes, with: "HEAD ", at: 0) ? (.head, 5) : nil
    }

    private static func targetEnd(_ bytes: Span<UInt8>, from start: Int, to limit: Int) -> Int? {
        guard start < limit, bytes[start] == UInt8(ascii: "/") else { return nil }
        var place = start
        while place + EightBytes.count <= limit, areTargetBytes(bytes, from: place) { place += EightBytes.count }
        while place < limit, isTargetByte(bytes[place]) { place += 1 }
        return begins(bytes, with: version, at: place) ? place : nil
    }

    /// Returns whether eight bytes are all allowed: printable, no space and no number sign.
    private static func areTargetBytes(_ bytes: Span<UInt8>, from start: Int) -> Bool {
        let word = EightBytes(bytes, from: start)
        return word.areAll(from: 0x21) && !word.contains(UInt8(ascii: "#"))
    }

    /// Returns whether a byte is allowed in a path or a query (RFC 3986 §3.3, §3.4), or in JSON text that clients leave
    /// unencoded.
    private static func isTargetByte(_ byte: UInt8) -> Bool {
        byte > space && byte < 0x7F && byte != UInt8(ascii: "#")
    }

    private static func begins(_ bytes: Span<UInt8>, with text: StaticString, at start: Int) -> Bool {
        guard bytes.count - start >= text.utf8CodeUnitCount else { return false }
        for offset in 0..<text.utf8CodeUnitCount where bytes[start + offset] != text.utf8Start[offset] { return false }
        return true
    }

    // MARK: Fields

    /// Reads the lines of fields, and the empty line after them.
    ///
    /// - Returns: the end of the head, or `nil` if a line isn't plain, or the end has not arrived.
    private static func read(
        _ fields: inout RequestFields,
        among texts: inout RepeatedTexts,
        in bytes: Span<UInt8>,
        from start: Int,
        to limit: Int
    ) -> Int? {
        var place = start
        var count = 0
        while place + 1 < limit, bytes[place] != carriageReturn {
            let name = place
            while place < limit, isNameByte(bytes[place]) { place += 1 }
            guard place < limit, place > name, bytes[place] == UInt8(ascii: ":") else { return nil }
            let nameEnd = place
            place += 1
            while place < limit, bytes[place] == space { place += 1 }
            let value = place
            while place + EightBytes.count <= limit, EightBytes(bytes, from: place).areAll(from: space) {
                place += EightBytes.count
            }
            while place < limit, isValueByte(bytes[place]) { place += 1 }
            guard place + 1 < limit, bytes[place] == carriageReturn, bytes[place + 1] == lineFeed else { return nil }
            // SwiftNIO's parser keeps spaces at the end, and treats this other name as `Connection`.
            guard bytes[place - 1] != space || place == value,
                !RequestFields.isName(bytes.extracting(name..<nameEnd), name: "proxy-connection")
            else { return nil }
            fields.take(bytes.extracting(name..<nameEnd), value: bytes.extracting(value..<place), among: &texts)
            place += 2
            count += 1
        }
        guard count <= RequestHeadRules.maximumHeaderCount, place + 1 < limit, bytes[place + 1] == lineFeed else {
            return nil
        }
        return place + 2
    }

    /// Returns whether a byte usually occurs in field names: a part of `tchar` (RFC 9110 §5.6.2).
    private static func isNameByte(_ byte: UInt8) -> Bool {
        let letter = (byte | 0x20) &- UInt8(ascii: "a")
        return letter < 26 || byte == UInt8(ascii: "-") || byte &- UInt8(ascii: "0") < 10 || byte == UInt8(ascii: "_")
    }

    private static func isValueByte(_ byte: UInt8) -> Bool { byte &- space < 0x5F }

    /// Returns whether `Connection` asks to close the connection (RFC 9112 §9.3), or `nil` for other values.
    private static func endsConnection(_ connection: FieldValues) -> Bool? {
        switch connection {
        case .none: false
        case .one(let text) where text[...].utf8.isWord("close"): true
        case .one(let text) where text[...].utf8.isWord("keep-alive"): false
        case .one, .several: nil
        }
    }

    /// Returns the length of the body, or `nil` if it isn't a short number.
    private static func bodyLength(_ contentLength: FieldValues) -> Int? {
        switch contentLength {
        case .none: return 0
        case .one(let text):
            guard text.utf8.count <= maximumLengthDigitCount, text.utf8.allSatisfy(\.isDigit) else { return nil }
            return Int(text)
        case .several: return nil
        }
    }
}
