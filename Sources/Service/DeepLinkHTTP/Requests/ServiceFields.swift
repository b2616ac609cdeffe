import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import HTTPServer
import HTTPTypes

/// The header fields of the service itself, by their places in `RequestFields.ownNames`.
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
        return union(isOfConsole ? .visitor.union(.cookie) : .visitor)
    }
}

/// The header fields that distinguish a page's visitor from a program, separate from the others.
struct VisitorHeaders: Sendable {
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
    func areSame(as others: VisitorHeaders) -> Bool {
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

/// A media type that the API accepts or produces.
enum MediaType: String {
    case json = "application/json"

    /// One JSON value a line.
    case ndjson = "application/x-ndjson"

    /// Comma-separated values with a line of names (RFC 4180), in UTF-8.
    case csv = "text/csv; charset=utf-8; header=present"

    /// A catalog in the format of its file (RFC 9512).
    case yaml = "application/yaml"

    /// A page, in UTF-8.
    case html = "text/html; charset=utf-8"

    /// An image (SVG 2).
    case svg = "image/svg+xml"

    /// Plain text, in UTF-8.
    case text = "text/plain; charset=utf-8"

    /// Metrics in the text format of Prometheus.
    case prometheus = "text/plain; version=0.0.4; charset=utf-8"

    /// The type without its parameters.
    var essence: String {
        switch self {
        case .json, .ndjson, .yaml, .svg: rawValue
        case .csv: "text/csv"
        case .html: "text/html"
        case .text, .prometheus: "text/plain"
        }
    }

    /// The media range that covers all types like this one (RFC 9110 §12.5.1).
    var range: String {
        switch self {
        case .json, .ndjson, .yaml: "application/*"
        case .svg: "image/*"
        case .csv, .html, .text, .prometheus: "text/*"
        }
    }

    /// Checks that a body is sent without a content coding, since a compressed one would be misread.
    ///
    /// - Throws: `Problem` with the code `unsupported-media-type`, with `identity` in `Accept-Encoding` (RFC 9110
    ///   §15.5.16).
    private static func requirePlain(_ encodings: FieldValues) throws(Problem) {
        guard
            let coding = encodings.all.lazy.flatMap({ FieldParts(of: $0, at: ",") })
                .first(where: { part in
                    !part.isEmpty && !part.isWord("identity")
                })
        else { return }
        throw Problem(
            .unsupportedMediaType,
            detail: "The body has the `Content-Encoding` \(String(Substring(coding))); send it as it is, without one.",
            headers: [.acceptEncoding: "identity"]
        )
    }

    /// Returns whether a body is declared as this type.
    func isDeclared(by types: FieldValues) -> Bool {
        var parts = types.first.map { FieldParts(of: $0, at: ";") }
        return parts?.next()?.isWord(rawValue) == true
    }

    /// Checks that a body is declared as this type.
    ///
    /// A cross-site form cannot do so.
    ///
    /// - Throws: `Problem` with the code `unsupported-media-type`, with the type in `Accept` (RFC 9110 §12.5.1).
    func require(of types: FieldValues, encoded encodings: FieldValues) throws(Problem) {
        let contentType = types.first
        if encodings.count == 0, contentType?.bytewise == rawValue.bytewise { return }
        try Self.requirePlain(encodings)
        var parts = contentType.map { FieldParts(of: $0, at: ";") }
        guard parts?.next()?.isWord(rawValue) == true else {
            throw Problem(
                .unsupportedMediaType,
                detail: contentType.map { "The body is declared as \($0); send `Content-Type: \(rawValue)`." }
                    ?? "The body's type is not declared; send `Content-Type: \(rawValue)`.",
                headers: [.accept: rawValue]
            )
        }
    }
}

/// The header field `Accept` (RFC 9110 §12.5.1), for the acceptable types of a response.
enum AcceptHeader {
    /// Returns whether a media type is acceptable.
    ///
    /// Without a field, every type is.
    ///
    /// The most specific matching range applies, and its weight must not be zero.
    ///
    /// - Complexity: linear in the bytes of the fields.
    static func allows(_ type: MediaType, by fields: FieldValues) -> Bool {
        guard fields.contains(where: { !$0.isEmpty }) else { return true }
        var best = (specificity: 0, isAllowed: false)
        for field in fields.all {
            for range in FieldParts(of: field, at: ",") {
                var parts = FieldParts(range, at: ";")
                guard let essence = parts.next() else { continue }
                let specificity = specificity(of: essence, for: type)
                guard specificity > best.specificity else { continue }
                best = (specificity, !parts.contains(where: isZeroWeight))
            }
        }
        return best.isAllowed
    }

    /// Returns whether a field names a media type explicitly, with a weight that is not zero.
    static func names(_ type: MediaType, in fields: FieldValues) -> Bool {
        fields.contains { field in
            FieldParts(of: field, at: ",")
                .contains { range in
                    var parts = FieldParts(range, at: ";")
                    return parts.next()?.isWord(type.essence) == true && !parts.contains(where: isZeroWeight)
                }
        }
    }

    /// Returns the specificity of a media range for a type: 3 for the type itself, 2 for its first half, 1 for every
    /// type, 0 for others.
    private static func specificity(of range: Substring.UTF8View, for type: MediaType) -> Int {
        if range.isWord(type.essence) { return 3 }
        if range.isWord(type.range) { return 2 }
        return range.isWord("*/*") ? 1 : 0
    }

    /// Returns whether a parameter is a weight of zero (RFC 9110 §12.4.2): `q=0`, with up to three zeros after a dot.
    private static func isZeroWeight(_ parameter: Substring.UTF8View) -> Bool {
        guard parameter.prefix(2).isWord("q=") else { return false }
        let weight = parameter.dropFirst(2)
        return weight.first == UInt8(ascii: "0")
            && weight.allSatisfy { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: ".") }
    }
}
