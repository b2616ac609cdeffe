import DeepLinkCore
import DeepLinkFormats
import NIOCore

/// The header fields that few requests have, or few servers read, in one array, so that requests without them need no
/// storage for them.
struct RareFields: Sendable {
    /// A field.
    enum Name: Sendable {
        case app, cookie, forwardedFor, holds, origin, traceParent, userVersion
    }

    private var fields: [(name: Name, value: String)] = []

    /// Whether there are none, as is usual.
    var isEmpty: Bool { fields.isEmpty }

    /// Adds a field.
    mutating func append(_ name: Name, value: String) { fields.append((name, value)) }

    /// Returns the values of a field, in their order.
    func values(of name: Name) -> [String] { fields.isEmpty ? [] : fields.filter { $0.name == name }.map(\.value) }

    /// Returns the value of a field that is given once, or `nil` if it is absent or repeated.
    func single(_ name: Name) -> String? {
        let values = values(of: name)
        return values.count == 1 ? values.first : nil
    }

    /// Returns the values of a field, joined as one (RFC 9110 §5.2), or `nil` if it is absent.
    func joined(_ name: Name) -> String? {
        guard !fields.isEmpty else { return nil }
        let values = values(of: name)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }
}

/// The length of a request's body (RFC 9112 §6.3).
enum RequestBodyLength: Equatable {
    /// No body.
    case none

    /// The body has this many bytes.
    case bytes(Int)

    /// The body is chunked, each chunk with its length.
    case chunked
}

extension RequestBodyLength {
    /// The length of a complete body.
    init(of body: ByteBuffer) {
        self = body.readableBytes > 0 ? .bytes(body.readableBytes) : .none
    }
}

/// The cookies of a request (RFC 6265 §4.2).
struct RequestCookies {
    private let pairs: [(name: String, value: String)]

    /// Reads the cookies of a request for the console.
    ///
    /// The heads of other requests omit them.
    init(_ fields: borrowing RequestFields) {
        pairs = fields.cookies.utf8.split(separator: UInt8(ascii: ";"))
            .compactMap { part in
                let pair = part.drop { $0 == UInt8(ascii: " ") }
                guard let sign = pair.firstIndex(of: UInt8(ascii: "=")) else { return nil }
                return (String(Substring(pair[..<sign])), String(Substring(pair[pair.index(after: sign)...])))
            }
    }

    /// Returns the value of a cookie, or `nil` if it is absent, or if several have the name, one of which may be
    /// forged.
    subscript(name: String) -> String? {
        let found = pairs.filter { $0.name.bytewise == name.bytewise }
        return found.count == 1 ? found[0].value : nil
    }

    /// Returns the names that begin with a text, in their order.
    func names(beginningWith prefix: String) -> [String] {
        pairs.map(\.name).filter { $0.utf8.starts(with: prefix.utf8) }
    }
}

/// The header field `If-None-Match` (RFC 9110 §13.1.2), for content that a client already has.
enum IfNoneMatch {
    /// Returns whether the field contains an entity tag, given with its quotes.
    ///
    /// The comparison is weak: `W/"…"` names the same content.
    static func names(_ tag: String, in fields: FieldValues) -> Bool {
        fields
            .contains { field in
                FieldParts(of: field, at: ",")
                    .contains { known in
                        let known = known.starts(with: "W/".utf8) ? known.dropFirst(2) : known
                        return known.elementsEqual(tag.utf8) || known.elementsEqual("*".utf8)
                    }
            }
    }
}

/// The idempotency key, with which a client marks a request that it may retry, in the field `Idempotency-Key`
/// (draft-ietf-httpapi-idempotency-key-header).
enum IdempotencyKey {
    private static let maximumByteCount = 256

    /// Reads the header fields of a request.
    ///
    /// A key in quotes differs from the same key without.
    ///
    /// - Returns: the key, or `nil` without the field.
    /// - Throws: `Problem` if the field is given twice, or isn't a key.
    static func key(_ fields: FieldValues) throws(Problem) -> String? {
        guard let key = fields.first else { return nil }
        guard fields.count == 1 else {
            throw .duplicate(field: "Idempotency-Key", detail: "The header `Idempotency-Key` is given twice.")
        }
        guard (1...maximumByteCount).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw .malformed(
                field: "Idempotency-Key",
                detail: "`Idempotency-Key` is 1 to \(maximumByteCount) visible characters of ASCII, such as a UUID."
            )
        }
        return key
    }
}

/// The parameters of a resolution in header fields, separate from the other fields.
///
/// A copy of all fields would count a dozen references.
struct ResolutionTerms: Sendable {
    /// The fields `Waymark-User`.
    let user: FieldValues

    private let rare: RareFields

    /// Reads the fields.
    @inline(__always)
    init(_ fields: borrowing RequestFields) {
        user = fields.user
        rare = fields.rare
    }

    /// The fields `Waymark-User-Version`, joined as one.
    @inline(__always)
    var userVersion: String? { rare.isEmpty ? nil : rare.joined(.userVersion) }

    /// The fields `Waymark-App`, joined as one.
    @inline(__always)
    var app: String? { rare.isEmpty ? nil : rare.joined(.app) }

    /// The fields `Waymark-Holds`, joined as one list.
    @inline(__always)
    var holds: String? { rare.isEmpty ? nil : rare.joined(.holds) }
}

extension SocketAddress {
    /// Whether only processes of this machine can have the address: 127.0.0.0/8 (RFC 1122 §3.2.1.3) or ::1 (RFC 4291
    /// §2.5.3).
    var isLoopback: Bool {
        guard let text = ipAddress else { return true }
        return text.utf8.starts(with: "127.".utf8) || text.bytewise == "::1"
    }
}
