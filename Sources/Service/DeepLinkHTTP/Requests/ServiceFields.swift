import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import HTTPServer

/// The header fields of the service itself, by their places in ``RequestFields/ownNames``.
private enum OwnField {
    static var app: Int { 0 }
    static var holds: Int { 1 }
    static var user: Int { 2 }
    static var userVersion: Int { 3 }
}

extension RequestFields {
    /// The names of the service's own fields.
    static let ownNames = OwnFieldNames(["waymark-app", "waymark-holds", "waymark-user", "waymark-user-version"])

    /// The fields `Waymark-User`.
    var user: FieldValues { own(OwnField.user) }

    /// Whether `Waymark-App` is present, by which counts recognize an app, whether or not its value is wanted.
    var namesApp: Bool { hasOwn(OwnField.app) }

    /// The fields `Waymark-App`, if they are wanted, joined as one (RFC 9110 §5.2).
    ///
    /// Several are not a valid version.
    var app: String? { own(OwnField.app).joined }

    /// The fields `Waymark-User-Version`, joined as one (RFC 9110 §5.2).
    ///
    /// Several are not a valid version.
    var userVersion: String? { own(OwnField.userVersion).joined }

    /// The fields `Waymark-Holds`, if they are wanted, joined as one list (RFC 9110 §5.2).
    var holds: String? { own(OwnField.holds).joined }
}

extension AuthorizationField {
    /// Creates the field from its values.
    init(_ values: FieldValues) { self.init(values.first, count: values.count) }
}

extension RequestFields.Wanted {
    /// The value of `Waymark-App`, for a catalog that depends on an app's version.
    static var app: Self { own(OwnField.app) }

    /// `Waymark-Holds`, for a catalog with levels or grants that an app asserts.
    static var holds: Self { own(OwnField.holds) }

    /// `Waymark-User` and `Waymark-User-Version`, which every request may have.
    static var users: Self { own(OwnField.user).union(own(OwnField.userVersion)) }

    /// Returns the fields to read for a target: a visitor's fields where pages are possible, so not below `/v1`, the
    /// API's path, and cookies below `/console`.
    func onTheWay(to target: Span<UInt8>) -> Self {
        let isOfAPI =
            target.count >= 4 && target[1] == UInt8(ascii: "v") && target[2] == UInt8(ascii: "1")
            && target[3] == UInt8(ascii: "/")
        guard !isOfAPI else { return self }
        let isOfConsole =
            target.count >= 8 && RequestFields.isName(target.extracting(first: 8), name: "/console")
        return union(isOfConsole ? [.visitor, .cookie] : .visitor)
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

/// The parameters of a resolution in header fields, separate from the other fields.
///
/// A copy of all fields would count a dozen references.
struct ResolutionTerms: Sendable {
    private let rare: RareFields

    /// Reads the fields.
    @inline(__always)
    init(_ fields: borrowing RequestFields) {
        rare = fields.rare
    }

    /// The fields `Waymark-User`.
    @inline(__always)
    var user: FieldValues { rare.isEmpty ? .none : rare.all(.own(OwnField.user)) }

    /// The fields `Waymark-User-Version`, joined as one.
    @inline(__always)
    var userVersion: String? { rare.isEmpty ? nil : rare.joined(.own(OwnField.userVersion)) }

    /// The fields `Waymark-App`, joined as one.
    @inline(__always)
    var app: String? { rare.isEmpty ? nil : rare.joined(.own(OwnField.app)) }

    /// The fields `Waymark-Holds`, joined as one list.
    @inline(__always)
    var holds: String? { rare.isEmpty ? nil : rare.joined(.own(OwnField.holds)) }
}

extension RequestHead {
    /// The parameters of a resolution in the fields.
    var terms: ResolutionTerms { ResolutionTerms(fields) }
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
            throw .invalidRequest(
                field: "Idempotency-Key",
                reason: .duplicate,
                detail: "The header `Idempotency-Key` is given twice."
            )
        }
        guard (1...maximumByteCount).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw .invalidRequest(
                field: "Idempotency-Key",
                reason: .malformed,
                detail: "`Idempotency-Key` is 1 to \(maximumByteCount) visible characters of ASCII, such as a UUID."
            )
        }
        return key
    }
}
