import DeepLinkCore
import DeepLinkFormats

/// The parts of an end user's token (RFC 7519 §3.1), before anything in it is trusted.
struct EndUserToken {
    /// The maximum length of an end user's token, in bytes.
    static let maximumByteCount = 4096

    /// The members of the header.
    let header: JSONObject

    let claims: JSONObject

    /// The bytes that the signature covers: the encoded header and claims.
    let signed: ArraySlice<UInt8>

    /// The signature's bytes.
    let signature: [UInt8]

    /// Splits a token into its parts and decodes them.
    ///
    /// Each part has only one encoding (`Base64URL`), and each member of an object one value, so that other readers
    /// cannot see a different token in the same bytes.
    ///
    /// - Throws: ``EndUserTokenError``, `tooLong`, `malformed` or, for an empty signature, `signature`.
    init(_ text: String, maximumByteCount: Int = maximumByteCount) throws(EndUserTokenError) {
        guard text.utf8.count <= maximumByteCount else { throw .tooLong }
        let bytes = Array(text.utf8)
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw .malformed }
        header = try Self.object(parts[0])
        claims = try Self.object(parts[1])
        guard !parts[2].isEmpty else { throw .signature }
        guard let signature = Base64URL.decode(parts[2]) else { throw .malformed }
        self.signature = signature
        signed = bytes[..<parts[1].endIndex]
    }

    private static func object(_ part: ArraySlice<UInt8>) throws(EndUserTokenError) -> JSONObject {
        guard let bytes = Base64URL.decode(part), case .object(let members)? = try? JSONParser.parse(bytes) else {
            throw .malformed
        }
        return members
    }

    /// The algorithm and the key id named by the header.
    ///
    /// The id is `nil` without a `kid` (RFC 7515 §4.1.4).
    ///
    /// `jwk`, `jku`, `x5c` and `x5u`, by which a token could supply its own key, are ignored.
    ///
    /// - Throws: ``EndUserTokenError``, `criticalHeader`, `algorithm` or `unknownKey`.
    func namedKey() throws(EndUserTokenError) -> (algorithm: SignatureAlgorithm, id: String?) {
        guard header["crit"] == nil else { throw .criticalHeader }
        guard case .string(let name)? = header["alg"], let algorithm = SignatureAlgorithm(bytewise: name) else {
            throw .algorithm
        }
        switch header["kid"] {
        case .string(let id)?: return (algorithm, id)
        case nil: return (algorithm, nil)
        default: throw .unknownKey
        }
    }
}

/// A signature algorithm of end users' tokens, by its name in a header's `alg` (RFC 7518 §3.1, RFC 8037 §3.1).
enum SignatureAlgorithm: String, CaseIterable, Sendable {
    /// HMAC with SHA-256, by a secret that issuer and service share.
    case hs256 = "HS256"

    /// ECDSA over P-256 with SHA-256.
    case es256 = "ES256"

    /// RSASSA-PKCS1-v1_5 with SHA-256.
    case rs256 = "RS256"

    /// Ed25519.
    case edDSA = "EdDSA"
}

/// A claim of end users' tokens with values that give levels, grants or roles.
struct TokenClaim {
    /// The name of the claim, followed by a dot and the name of a member if the claim is an object.
    let name: String

    /// Returns the values of the claim as texts: a single value, or the elements of a list.
    ///
    /// Nested lists and objects are ignored.
    func values(in claims: JSONObject) -> [String] {
        guard let value = Self.value(name[...], in: claims) else { return [] }
        guard case .array(let values) = value else { return [Self.text(value)].compactMap(\.self) }
        return values.compactMap(Self.text)
    }

    private static func text(_ value: JSONValue) -> String? {
        switch value {
        case .string(let text): text
        case .integer(let number): String(number)
        case .bool(let truth): String(truth)
        case .null, .number, .object, .array: nil
        }
    }

    /// Finds the value of a name.
    ///
    /// Like a URL, a name may itself contain dots (RFC 7519 §4.2).
    private static func value(_ name: Substring, in object: JSONObject) -> JSONValue? {
        if let value = object[String(name).bytewise] { return value }
        let dots = name.utf8.indices.filter { name.utf8[$0] == UInt8(ascii: ".") }
        for dot in dots {
            guard case .object(let inner)? = object[String(name[..<dot]).bytewise] else { continue }
            if let value = value(name[name.utf8.index(after: dot)...], in: inner) { return value }
        }
        return nil
    }
}
