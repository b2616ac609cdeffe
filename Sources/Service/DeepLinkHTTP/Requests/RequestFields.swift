import DeepLinkCore
import DeepLinkFormats
import HTTPTypes
import NIOHTTP1

/// The header fields that the server reads, found in one pass over a request's fields.
///
/// They are moved into the head of the request and never copied, since a copy counts the references of two dozen texts.
struct RequestFields: ~Copyable, Sendable {
    private(set) var accept = FieldValues.none
    private(set) var authorization = FieldValues.none
    private(set) var connection = FieldValues.none
    private(set) var contentEncoding = FieldValues.none
    private(set) var contentLength = FieldValues.none
    private(set) var contentType = FieldValues.none
    private(set) var expect = FieldValues.none
    private(set) var host = FieldValues.none
    private(set) var idempotencyKey = FieldValues.none
    private(set) var ifMatch = FieldValues.none
    private(set) var ifNoneMatch = FieldValues.none
    private(set) var requestID = FieldValues.none
    private(set) var transferEncoding = FieldValues.none
    private(set) var upgrade = FieldValues.none

    /// The fields of a page's visitor, if they are wanted.
    private(set) var visitor = VisitorFields()

    /// The fields `Waymark-User`.
    private(set) var user = FieldValues.none

    /// Whether the request was visibly forwarded: by `Forwarded` (RFC 7239), `X-Forwarded-…`, `X-Real-IP` or `Via` (RFC
    /// 9110 §7.6.3), or by HTTP/1.0, since proxies use it and hardly any client does.
    private(set) var isForwarded = false

    /// Whether `Waymark-App` is present, by which counts recognize an app, whether or not its value is wanted.
    private(set) var namesApp = false

    /// The fields that are read only on demand, since nearly every request through a proxy has them.
    struct Wanted: OptionSet {
        let rawValue: UInt8

        /// `X-Forwarded-For`.
        static let forwardedFor = Wanted(rawValue: 1)

        /// `traceparent`.
        static let traceParent = Wanted(rawValue: 2)

        /// ``visitor``.
        ///
        /// Nearly every request has these fields, and only pages need them.
        static let visitor = Wanted(rawValue: 4)

        /// The value of `Waymark-App`, for a catalog that depends on an app's version.
        static let app = Wanted(rawValue: 8)

        /// `Waymark-Holds`, for a catalog with levels or grants that an app asserts.
        static let holds = Wanted(rawValue: 16)

        /// `Cookie`, for the console only.
        static let cookie = Wanted(rawValue: 32)

        /// Returns the fields to read for a target: a visitor's fields where pages are possible, so not below `/v1`,
        /// the API's path, and cookies below `/console`.
        func onTheWay(to target: Span<UInt8>) -> Wanted {
            let isOfAPI =
                target.count >= 4 && target[1] == UInt8(ascii: "v") && target[2] == UInt8(ascii: "1")
                && target[3] == UInt8(ascii: "/")
            guard !isOfAPI else { return self }
            let isOfConsole =
                target.count >= 8 && RequestFields.isName(target.extracting(first: 8), name: "/console")
            return union(isOfConsole ? [.visitor, .cookie] : .visitor)
        }
    }

    /// The rare fields, in one array, so that requests without them need no storage for them.
    private(set) var rare = RareFields()

    /// Whether the request is a preflight, by which a browser asks for a page of another origin (Fetch Standard
    /// §3.2.2).
    private(set) var asksForMethod = false

    private let wanted: Wanted

    /// Creates an empty set of fields.
    init(wanted: Wanted = []) {
        self.wanted = wanted
    }

    /// Replaces the hosts with the authority of a target in absolute form (RFC 9112 §3.2.2).
    mutating func replaceHost(with authority: String) { host = .one(authority) }

    /// The last `X-Forwarded-For`, if it is wanted.
    var forwardedFor: String? { rare.values(of: .forwardedFor).last }

    /// The single `traceparent`, if it is wanted and valid, or `nil` if it is absent or repeated
    /// (w3.org/TR/trace-context §3.2).
    var traceParent: String? {
        guard let value = rare.single(.traceParent), TraceParent.isSound(value) else { return nil }
        return value
    }

    /// The single `Origin` (RFC 6454 §7), or `nil` if it is absent or repeated.
    var origin: String? { rare.single(.origin) }

    /// The fields `Cookie`, if they are wanted, joined as one (RFC 9113 §8.2.3).
    var cookies: String { rare.values(of: .cookie).joined(separator: "; ") }

    /// The fields `Waymark-App`, if they are wanted, joined as one (RFC 9110 §5.2).
    ///
    /// Several are not a valid version.
    var app: String? { rare.joined(.app) }

    /// The fields `Waymark-User-Version`, joined as one (RFC 9110 §5.2).
    ///
    /// Several are not a valid version.
    var userVersion: String? { rare.joined(.userVersion) }

    /// The fields `Waymark-Holds`, if they are wanted, joined as one list (RFC 9110 §5.2).
    var holds: String? { rare.joined(.holds) }

    /// Records that the request uses another version than HTTP/1.1.
    mutating func noteOldVersion() { isForwarded = true }

    /// Stores a field if it is read.
    mutating func take(_ name: String, value: String) {
        take(name.utf8Span.span) { value }
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
        default: take(name) { String(ascii: value) }
        }
    }

    /// Stores a field if it is read.
    private mutating func take(_ name: Span<UInt8>, value: () -> String) {
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
            if Self.isName(name, name: "waymark-app") {
                namesApp = true
                if wanted.contains(.app) { rare.append(.app, value: value()) }
            }
        case 12:
            if Self.isName(name, name: "content-type") { contentType.append(value()) }
            if Self.isName(name, name: "x-request-id") { requestID.append(value()) }
            if Self.isName(name, name: "waymark-user") { user.append(value()) }
        case 13:
            if Self.isName(name, name: "authorization") { authorization.append(value()) }
            if Self.isName(name, name: "if-none-match") { ifNoneMatch.append(value()) }
            if wanted.contains(.holds), Self.isName(name, name: "waymark-holds") {
                rare.append(.holds, value: value())
            }
        case 14: if Self.isName(name, name: "content-length") { contentLength.append(value()) }
        case 15:
            if Self.isName(name, name: "idempotency-key") { idempotencyKey.append(value()) }
            if wanted.contains(.visitor), Self.isName(name, name: "accept-language") {
                visitor.acceptLanguage = value()
            }
        case 16: if Self.isName(name, name: "content-encoding") { contentEncoding.append(value()) }
        case 17: if Self.isName(name, name: "transfer-encoding") { transferEncoding.append(value()) }
        case 20: if Self.isName(name, name: "waymark-user-version") { rare.append(.userVersion, value: value()) }
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
        }
    }

    /// Returns whether bytes are a field name, given in lower case.
    static func isName(_ bytes: Span<UInt8>, name: StaticString) -> Bool {
        guard bytes.count == name.utf8CodeUnitCount else { return false }
        for index in bytes.indices where bytes[index] | 0x20 != name.utf8Start[index] | 0x20 { return false }
        return true
    }
}

/// The header fields that distinguish a page's visitor from a program, separate from the others.
struct VisitorSigns: Sendable {
    let accept: FieldValues
    let authorization: FieldValues
    let user: FieldValues
    let visitor: VisitorFields

    /// Reads the fields.
    @inline(__always)
    init(_ fields: borrowing RequestFields) {
        accept = fields.accept
        authorization = fields.authorization
        user = fields.user
        visitor = fields.visitor
    }

    /// Returns whether both have the same fields, without credentials or a user, and with one `Accept`.
    func areSame(as others: VisitorSigns) -> Bool {
        guard case .one(let text) = accept, case .one(let other) = others.accept else { return false }
        return authorization.count == 0 && others.authorization.count == 0 && user.count == 0
            && others.user.count == 0 && text.bytewise == other.bytewise
            && Self.areSame(visitor.userAgent, others.visitor.userAgent)
            && Self.areSame(visitor.acceptLanguage, others.visitor.acceptLanguage)
    }

    private static func areSame(_ text: String?, _ other: String?) -> Bool {
        guard let text, let other else { return text == nil && other == nil }
        return text.bytewise == other.bytewise
    }
}

/// The texts of fields that a connection's requests mostly repeat.
///
/// Reusing a text costs less than creating it.
struct RepeatedTexts {
    fileprivate var accept: String?
    fileprivate var authorization: String?
    fileprivate var contentType: String?

    /// The last host that passed ``RequestHeadRules/checkHost(_:)``.
    fileprivate var checkedHost: String?

    /// Whether the current request has one `Host`, equal to the host that was checked last.
    fileprivate(set) var repeatsHost = false

    /// Begins another request.
    mutating func begin() { repeatsHost = false }

    /// Remembers the checked host of the current request.
    mutating func rememberHost(of fields: borrowing RequestFields) { checkedHost = fields.host.first }

    /// Returns whether a text consists of the bytes of a value.
    fileprivate static func isSame(_ text: String?, _ value: Span<UInt8>) -> Bool {
        guard let text, text.utf8.count == value.count else { return false }
        return text.bytewise.consists(of: value)
    }

    /// Returns the text of a value, reusing the earlier text if they are the same, and remembers it.
    fileprivate static func text(_ value: Span<UInt8>, earlier: inout String?) -> String {
        if let earlier, isSame(earlier, value) { return earlier }
        let text = String(ascii: value)
        earlier = text
        return text
    }
}

extension String {
    /// Creates a text from bytes that are known to be ASCII, without checking them again.
    init(ascii bytes: Span<UInt8>) {
        self.init(copying: UTF8Span(unchecked: bytes, isKnownASCII: true))
    }
}

/// The header fields of a page's visitor.
struct VisitorFields: Sendable {
    /// The last `User-Agent`.
    var userAgent: String?

    /// The last `Accept-Language`.
    var acceptLanguage: String?
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
                part.allSatisfy { ASCII.isDigit($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0) }
            }
        let hasZeros = [parts[1], parts[2]].contains { part in part.allSatisfy { $0 == UInt8(ascii: "0") } }
        let isFirst = parts[0].elementsEqual("00".utf8)
        return isHexadecimal && !hasZeros && parts.prefix(4).map(\.count) == [2, 32, 16, 2]
            && !parts[0].elementsEqual("ff".utf8) && (!isFirst || parts.count == 4)
    }
}
