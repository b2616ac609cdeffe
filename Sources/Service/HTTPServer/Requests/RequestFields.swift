import NIOCore

/// The header fields that the server reads, found in one pass over a request's fields.
///
/// They are moved into the head of the request and never copied, since a copy counts the references of two dozen texts.
package struct RequestFields: ~Copyable, Sendable {
    package private(set) var accept = FieldValues.none
    package private(set) var authorization = FieldValues.none
    package private(set) var connection = FieldValues.none
    package private(set) var contentEncoding = FieldValues.none
    package private(set) var contentLength = FieldValues.none
    package private(set) var contentType = FieldValues.none
    package private(set) var expect = FieldValues.none
    package private(set) var host = FieldValues.none
    package private(set) var idempotencyKey = FieldValues.none
    package private(set) var ifMatch = FieldValues.none
    package private(set) var ifNoneMatch = FieldValues.none
    package private(set) var requestID = FieldValues.none
    package private(set) var transferEncoding = FieldValues.none
    package private(set) var upgrade = FieldValues.none

    /// The fields of a page's visitor, if they are wanted.
    package private(set) var visitor = VisitorFields()

    /// Whether the request was visibly forwarded: by `Forwarded` (RFC 7239), `X-Forwarded-…`, `X-Real-IP` or `Via` (RFC
    /// 9110 §7.6.3), or by HTTP/1.0, since proxies use it and hardly any client does.
    package private(set) var isForwarded = false

    /// The application's own fields that are present, whether or not their values are wanted, by bits in the order of
    /// their names.
    private var presentOwn: UInt8 = 0

    /// The fields that are read only on demand, since nearly every request through a proxy has them.
    ///
    /// It is no `OptionSet`, whose generic methods cost a call of the runtime from another target.
    package struct Wanted: Hashable, Sendable {
        package let rawValue: UInt8

        /// Creates a set from its bits.
        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// No field.
        package static let none = Wanted(rawValue: 0)

        /// `X-Forwarded-For`.
        package static let forwardedFor = Wanted(rawValue: 1)

        /// `traceparent`.
        package static let traceParent = Wanted(rawValue: 2)

        /// ``visitor``.
        ///
        /// Nearly every request has these fields, and only pages need them.
        package static let visitor = Wanted(rawValue: 4)

        /// `Cookie`.
        package static let cookie = Wanted(rawValue: 8)

        /// Returns whether all fields of another set are wanted.
        package func contains(_ fields: Wanted) -> Bool { rawValue & fields.rawValue == fields.rawValue }

        /// Returns the fields of both sets.
        package func union(_ fields: Wanted) -> Wanted { Wanted(rawValue: rawValue | fields.rawValue) }

        /// Returns the value of one of the application's own fields, by the place of its name.
        package static func own(_ place: Int) -> Wanted { Wanted(rawValue: 16 << UInt8(place)) }
    }

    /// The rare fields, in one array, so that requests without them need no storage for them.
    package private(set) var rare = RareFields()

    /// Whether the request is a preflight, by which a browser asks for a page of another origin (Fetch Standard
    /// §3.2.2).
    package private(set) var asksForMethod = false

    private let wanted: Wanted

    /// Creates an empty set of fields.
    package init(wanted: Wanted = .none) {
        self.wanted = wanted
    }

    /// Replaces the hosts with the authority of a target in absolute form (RFC 9112 §3.2.2).
    package mutating func replaceHost(with authority: String) { host = .one(authority) }

    /// The last `X-Forwarded-For`, if it is wanted.
    package var forwardedFor: String? { rare.values(of: .forwardedFor).last }

    /// The single `traceparent`, if it is wanted and valid, or `nil` if it is absent or repeated
    /// (w3.org/TR/trace-context §3.2).
    package var traceParent: String? {
        guard let value = rare.single(.traceParent), TraceParent.isSound(value) else { return nil }
        return value
    }

    /// The single `Origin` (RFC 6454 §7), or `nil` if it is absent or repeated.
    package var origin: String? { rare.single(.origin) }

    /// The fields `Cookie`, if they are wanted, joined as one (RFC 9113 §8.2.3).
    package var cookies: String { rare.values(of: .cookie).joined(separator: "; ") }

    /// Returns whether one of the application's own fields is present, by the place of its name.
    package func hasOwn(_ place: Int) -> Bool { presentOwn & (1 << UInt8(place)) != 0 }

    /// Returns the values of one of the application's own fields, if they are wanted.
    package func own(_ place: Int) -> FieldValues { rare.isEmpty ? .none : rare.all(.own(place)) }

    /// Records that the request uses another version than HTTP/1.1.
    mutating func noteOldVersion() { isForwarded = true }

    /// Stores a field if it is read.
    ///
    /// - Parameters:
    ///   - name: the name as sent.
    ///   - value: the value.
    ///   - names: the names of the application's own fields.
    package mutating func take(_ name: String, value: String, own names: OwnFieldNames) {
        take(name.utf8Span.span, own: names) { value }
    }

    /// Stores a field if it is read.
    ///
    /// Names are case-insensitive (RFC 9110 §5.1).
    ///
    /// The lengths of the names distinguish most of them.
    ///
    /// - Parameters:
    ///   - name: the name as sent.
    ///   - value: the value, in ASCII.
    ///   - texts: the texts of earlier requests, for reuse.
    mutating func take(_ name: Span<UInt8>, value: Span<UInt8>, among texts: inout RepeatedTexts) {
        switch name.count {
        case 4 where Self.isName(name, name: "host"):
            texts.repeatsHost = host.count == 0 && RepeatedTexts.isSame(texts.checkedHost, value)
            if texts.repeatsHost, let checked = texts.checkedHost {
                host.append(checked)
            } else {
                host.append(String(ascii: value))
            }
        case 6 where Self.isName(name, name: "accept"):
            accept.append(RepeatedTexts.text(value, earlier: &texts.accept))
        case 12 where Self.isName(name, name: "content-type"):
            contentType.append(RepeatedTexts.text(value, earlier: &texts.contentType))
        case 13 where Self.isName(name, name: "authorization"):
            authorization.append(RepeatedTexts.text(value, earlier: &texts.authorization))
        default: take(name, own: texts.ownNames) { String(ascii: value) }
        }
    }

    /// Stores a field if it is read.
    ///
    /// It is inlined, since a call would copy the list of names.
    @inline(__always)
    private mutating func take(_ name: Span<UInt8>, own names: borrowing OwnFieldNames, value: () -> String) {
        switch name.count {
        case 3: if Self.isName(name, name: "via") { isForwarded = true }
        case 4: if Self.isName(name, name: "host") { host.append(value()) }
        case 6:
            if Self.isName(name, name: "accept") { accept.append(value()) }
            if Self.isName(name, name: "expect") { expect.append(value()) }
            if wanted.contains(.cookie), Self.isName(name, name: "cookie") { rare.append(.cookie, value: value()) }
            if Self.isName(name, name: "origin") { rare.append(.origin, value: value()) }
        case 7: if Self.isName(name, name: "upgrade") { upgrade.append(value()) }
        case 8: if Self.isName(name, name: "if-match") { ifMatch.append(value()) }
        case 9: if Self.isName(name, name: "forwarded") || Self.isName(name, name: "x-real-ip") { isForwarded = true }
        case 10:
            if Self.isName(name, name: "connection") { connection.append(value()) }
            if wanted.contains(.visitor), Self.isName(name, name: "user-agent") { visitor.userAgent = value() }
        case 11:
            if wanted.contains(.traceParent), Self.isName(name, name: "traceparent") {
                rare.append(.traceParent, value: value())
            }
        case 12:
            if Self.isName(name, name: "content-type") { contentType.append(value()) }
            if Self.isName(name, name: "x-request-id") { requestID.append(value()) }
        case 13:
            if Self.isName(name, name: "authorization") { authorization.append(value()) }
            if Self.isName(name, name: "if-none-match") { ifNoneMatch.append(value()) }
        case 14: if Self.isName(name, name: "content-length") { contentLength.append(value()) }
        case 15:
            if Self.isName(name, name: "idempotency-key") { idempotencyKey.append(value()) }
            if wanted.contains(.visitor), Self.isName(name, name: "accept-language") {
                visitor.acceptLanguage = value()
            }
        case 16: if Self.isName(name, name: "content-encoding") { contentEncoding.append(value()) }
        case 17: if Self.isName(name, name: "transfer-encoding") { transferEncoding.append(value()) }
        case 29: if Self.isName(name, name: "access-control-request-method") { asksForMethod = true }
        default: break
        }
        if name.count > 12, name[0] | 0x20 == UInt8(ascii: "x"),
            Self.isName(name.extracting(first: 12), name: "x-forwarded-")
        {
            isForwarded = true
            if wanted.contains(.forwardedFor), Self.isName(name, name: "x-forwarded-for") {
                rare.append(.forwardedFor, value: value())
            }
        } else if let place = names.place(of: name) {
            presentOwn |= 1 << UInt8(place)
            if wanted.contains(.own(place)) { rare.append(.own(place), value: value()) }
        }
    }

    /// Returns whether bytes are a field name, given in lower case.
    package static func isName(_ bytes: Span<UInt8>, name: StaticString) -> Bool {
        guard bytes.count == name.utf8CodeUnitCount else { return false }
        for index in bytes.indices where bytes[index] | 0x20 != name.utf8Start[index] | 0x20 { return false }
        return true
    }
}

/// The names of the header fields that only the application reads, at most four, in lower case.
///
/// They are constants of the program, so that the list is passed on without counting a reference.
package struct OwnFieldNames: Sendable {
    private static var maximumCount: Int { 4 }

    private let names: InlineArray<4, StaticString>
    private let count: Int

    /// The lengths of the names, as bits, since most other fields differ in length.
    private let lengths: UInt64

    /// The first letters of the names, as bits.
    private let initials: UInt32

    /// Creates a list of names, each of which is known by its place.
    ///
    /// - Parameter names: the names, of which the first four count.
    package init(_ names: [StaticString]) {
        self.names = InlineArray { $0 < names.count ? names[$0] : "" }
        count = min(names.count, Self.maximumCount)
        lengths = names.reduce(0) { $0 | 1 << UInt64(min($1.utf8CodeUnitCount, 63)) }
        initials = names.reduce(0) { $0 | 1 << UInt32($1.utf8Start[0] & 0x1F) }
    }

    /// Returns the place of a name, in any case, or `nil` for another name.
    @inline(__always)
    fileprivate func place(of name: Span<UInt8>) -> Int? {
        guard lengths >> UInt64(min(name.count, 63)) & 1 == 1, initials >> UInt32(name[0] & 0x1F) & 1 == 1 else {
            return nil
        }
        for place in 0..<count where RequestFields.isName(name, name: names[place]) { return place }
        return nil
    }
}

/// The header fields of a page's visitor.
package struct VisitorFields: Sendable {
    /// The last `User-Agent`.
    package internal(set) var userAgent: String?

    /// The last `Accept-Language`.
    package internal(set) var acceptLanguage: String?
}

/// The header field `traceparent` with the trace of a request (w3.org/TR/trace-context §3.2).
enum TraceParent {
    /// Returns whether a value is valid.
    ///
    /// A value has version, trace, parent and flags, in lower-case hexadecimal digits. Neither trace nor parent is all
    /// zeros. Later versions may continue after a dash.
    static func isSound(_ value: String) -> Bool {
        let parts = value.utf8.split(separator: UInt8(ascii: "-"), maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count >= 4, value.utf8.count <= 512 else { return false }
        let isHexadecimal = parts.prefix(4)
            .allSatisfy { part in
                part.allSatisfy { $0.isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0) }
            }
        let hasZeros = [parts[1], parts[2]].contains { part in part.allSatisfy { $0 == UInt8(ascii: "0") } }
        let isFirst = parts[0].elementsEqual("00".utf8)
        return isHexadecimal && !hasZeros && parts.prefix(4).map(\.count) == [2, 32, 16, 2]
            && !parts[0].elementsEqual("ff".utf8) && (!isFirst || parts.count == 4)
    }
}

/// The header fields that few requests have, or few servers read, in one array, so that requests without them need no
/// storage for them.
package struct RareFields: Sendable {
    /// A field.
    package struct Name: Equatable, Sendable {
        fileprivate let place: UInt8

        static let cookie = Name(place: 0)
        static let forwardedFor = Name(place: 1)
        static let origin = Name(place: 2)
        static let traceParent = Name(place: 3)

        /// Returns one of the application's own fields, by the place of its name.
        package static func own(_ place: Int) -> Name { Name(place: 4 + UInt8(place)) }
    }

    private var fields: [(name: Name, value: String)] = []

    /// Whether there are none, as is usual.
    package var isEmpty: Bool { fields.isEmpty }

    /// Adds a field.
    mutating func append(_ name: Name, value: String) { fields.append((name, value)) }

    /// Returns the values of a field, in their order.
    package func values(of name: Name) -> [String] {
        fields.isEmpty ? [] : fields.filter { $0.name == name }.map(\.value)
    }

    /// Returns the values of a field.
    package func all(_ name: Name) -> FieldValues {
        var all = FieldValues.none
        for field in fields where field.name == name { all.append(field.value) }
        return all
    }

    /// Returns the value of a field that is given once, or `nil` if it is absent or repeated.
    func single(_ name: Name) -> String? {
        let values = values(of: name)
        return values.count == 1 ? values.first : nil
    }

    /// Returns the values of a field, joined as one (RFC 9110 §5.2), or `nil` if it is absent.
    package func joined(_ name: Name) -> String? {
        guard !fields.isEmpty else { return nil }
        let values = values(of: name)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }
}

/// The length of a request's body (RFC 9112 §6.3).
package enum RequestBodyLength: Equatable, Sendable {
    /// No body.
    case none

    /// The body has this many bytes.
    case bytes(Int)

    /// The body is chunked, each chunk with its length.
    case chunked

    /// The maximum size of a body, or of a line of a stream, in bytes.
    package static let maximumByteCount = 1024 * 1024
}

extension RequestBodyLength {
    /// The length of a complete body.
    init(of body: ByteBuffer) {
        self = body.readableBytes > 0 ? .bytes(body.readableBytes) : .none
    }
}

/// The texts of fields that a connection's requests mostly repeat.
///
/// Reusing a text costs less than creating it.
struct RepeatedTexts {
    /// The names of the application's own fields.
    fileprivate let ownNames: OwnFieldNames

    fileprivate var accept: String?
    fileprivate var authorization: String?
    fileprivate var contentType: String?

    /// The last host that passed ``RequestHeadRules/checkHost(_:)``.
    fileprivate var checkedHost: String?

    /// Whether the current request has one `Host`, equal to the host that was checked last.
    fileprivate(set) var repeatsHost = false

    /// Creates an empty memory for the requests to an application.
    init(own names: OwnFieldNames = OwnFieldNames([])) {
        ownNames = names
    }

    /// Begins another request.
    mutating func begin() { repeatsHost = false }

    /// Remembers the checked host of the current request.
    mutating func rememberHost(of fields: borrowing RequestFields) { checkedHost = fields.host.first }

    /// Returns whether a text consists of the bytes of a value.
    fileprivate static func isSame(_ text: String?, _ value: Span<UInt8>) -> Bool {
        text?.consists(of: value) ?? false
    }

    /// Returns the text of a value, reusing the earlier text if they are the same, and remembers it.
    fileprivate static func text(_ value: Span<UInt8>, earlier: inout String?) -> String {
        if let earlier, isSame(earlier, value) { return earlier }
        let text = String(ascii: value)
        earlier = text
        return text
    }
}
