import HTTPTypes
import NIOHTTP1

/// The rules for heads.
///
/// They refuse heads that no application would answer, or that an intermediary may read differently.
package enum RequestHeadRules {
    /// The maximum size of the request target, and of one header field with its name, in bytes.
    package static let maximumFieldByteCount = 16 * 1024

    /// The maximum size of all header fields together, in bytes.
    package static let maximumHeaderByteCount = 32 * 1024

    /// The maximum number of header fields.
    package static let maximumHeaderCount = 100

    /// Checks a head, and rewrites its target to begin with a slash.
    ///
    /// - Parameters:
    ///   - head: the head.
    ///   - wanted: the fields to read in addition to the ones always read.
    ///   - names: the names of the application's own fields.
    /// - Returns: the fields that the server reads.
    /// - Throws: ``RequestFault``, after which the connection must be closed.
    static func apply(
        to head: inout HTTPRequestHead,
        wanted: RequestFields.Wanted = .none,
        own names: OwnFieldNames
    ) throws(RequestFault) -> RequestFields {
        var fields = RequestFields(wanted: wanted)
        try checkSizes(head, reading: &fields, own: names)
        if head.version != .http1_1 { fields.noteOldVersion() }
        try readTarget(of: &head, into: &fields)
        spellInASCII(&head)
        // HTTP/1.0 requires no host, and health checks of load balancers send none.
        if head.version != .http1_0 || fields.host.count > 0 { try checkHost(fields.host) }
        return fields
    }

    /// Returns the method of a head if it is a token (RFC 9110 §9.1).
    static func method(of head: HTTPRequestHead) throws(RequestFault) -> HTTPRequest.Method {
        guard let method = HTTPRequest.Method(head.method) else {
            throw .method
        }
        return method
    }

    private static func checkSizes(
        _ head: HTTPRequestHead,
        reading fields: inout RequestFields,
        own names: OwnFieldNames
    ) throws(RequestFault) {
        guard head.uri.utf8.count <= maximumFieldByteCount else { throw .targetTooLong }
        guard head.headers.count <= maximumHeaderCount else { throw .tooManyFields }
        var total = 0
        for (name, value) in head.headers {
            fields.take(name, value: value, own: names)
            let count = name.utf8.count + value.utf8.count
            guard count <= maximumFieldByteCount else { throw .fieldTooLong(name: name) }
            total += count
        }
        guard total <= maximumHeaderByteCount else { throw .fieldsTooLarge }
    }

    /// Splits a target in absolute form, and replaces `Host` by its authority (RFC 9112 §3.2.2).
    private static func readTarget(
        of head: inout HTTPRequestHead,
        into fields: inout RequestFields
    ) throws(RequestFault) {
        // The parser stops after this method, regardless of its target.
        guard head.method != .CONNECT else { throw .tunnel }
        let target = Substring(head.uri).utf8
        let slash = UInt8(ascii: "/")
        guard target.first != slash, !(head.method == .OPTIONS && target.elementsEqual("*".utf8)) else { return }
        let scheme = target.prefix { $0 != UInt8(ascii: ":") }
        var rest = target[scheme.endIndex...]
        guard scheme.isWord("http") || scheme.isWord("https"), rest.starts(with: "://".utf8) else {
            throw .target
        }
        rest = rest.dropFirst(3)
        let authority = rest.prefix { $0 != slash && $0 != UInt8(ascii: "?") }
        let path = rest[authority.endIndex...]
        head.uri = (path.first == slash ? "" : "/") + String(Substring(path))
        head.headers.replaceOrAdd(name: "Host", value: String(Substring(authority)))
        fields.replaceHost(with: String(Substring(authority)))
    }

    /// Percent-encodes the bytes of a target that aren't ASCII, as clients do (RFC 3987 §3.1).
    ///
    /// A target is ASCII by RFC 9112 §3.2, so that later comparisons may use any method.
    private static func spellInASCII(_ head: inout HTTPRequestHead) {
        var isASCII = true
        head.uri.withUTF8 { bytes in for byte in bytes where byte >= 0x80 { isASCII = false } }
        guard !isASCII else { return }
        let digits = Array("0123456789ABCDEF".utf8)
        var target: [UInt8] = []
        for byte in head.uri.utf8 {
            if byte < 0x80 {
                target.append(byte)
            } else {
                target += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        head.uri = String(decoding: target, as: UTF8.self)
    }

    /// Whether a byte is allowed in a host with its port.
    private static let isHostByte: [Bool] = {
        let others = Array(#",/?#\"<>"#.utf8)
        return (0...UInt8.max).map { $0 > 0x20 && $0 < 0x7F && !others.contains($0) }
    }()

    /// Checks that there is exactly one host that cannot be read as several.
    static func checkHost(_ hosts: FieldValues) throws(RequestFault) {
        guard hosts.count <= 1 else { throw .host(.duplicate) }
        guard let host = hosts.first, !host.isEmpty else { throw .host(.missing) }
        // Nothing is allowed that could be read as a list, or as more of a URL than its host and port.
        let bytes = host.utf8Span.span
        var portStart = 0
        for index in bytes.indices {
            guard isHostByte[Int(bytes[index])] else { throw .host(.malformed) }
            if bytes[index] == UInt8(ascii: ":") { portStart = index + 1 }
        }
        // A port parsed as a number may be accepted with a sign, which RFC 3986 §3.2.3 forbids. Any other text in its
        // place names a host that isn't ours.
        guard portStart > 0, bytes.count > portStart + 1 else { return }
        let sign = bytes[portStart]
        if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
            host.utf8.dropFirst(portStart + 1).allSatisfy(\.isDigit)
        {
            throw .host(.signedPort)
        }
    }

    /// Returns the length of the body, and refuses an ambiguous one (RFC 9112 §6.3, §11.2).
    ///
    /// A stream of lines may have any length.
    static func bodyLength(
        _ head: RequestHead,
        of version: HTTPVersion
    ) throws(RequestFault) -> RequestBodyLength {
        let codings = head.fields.transferEncoding
        let lengths = head.fields.contentLength
        if let coding = codings.first {
            guard version == .http1_1, codings.count == 1, coding[...].utf8.isWord("chunked"), lengths.count == 0 else {
                throw .transferEncoding
            }
            return .chunked
        }
        guard let text = lengths.first else { return .none }
        guard lengths.count == 1, text.utf8.allSatisfy(\.isDigit), let length = Int(text) else {
            throw .contentLength
        }
        guard length <= RequestBodyLength.maximumByteCount || head.takesLines else { throw .bodyTooLarge }
        return length == 0 ? .none : .bytes(length)
    }
}

extension HTTPRequest.Method {
    /// Creates a method from SwiftNIO's, or returns `nil` if it isn't a token (RFC 9110 §9.1).
    init?(_ method: HTTPMethod) {
        switch method {
        case .GET: self = .get
        case .POST: self = .post
        case .HEAD: self = .head
        default: self.init(method.rawValue)
        }
    }
}
