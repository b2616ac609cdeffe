/// Lists the algorithms that sign end users' tokens, by their names in a header's `alg` (RFC 7518 §3.1, RFC 8037 §3.1).
enum SignatureAlgorithm: String, Sendable {
    /// HMAC with SHA-256, by a secret that issuer and service share.
    case hs256 = "HS256"

    /// ECDSA over P-256 with SHA-256.
    case es256 = "ES256"

    /// RSASSA-PKCS1-v1_5 with SHA-256.
    case rs256 = "RS256"

    /// Ed25519.
    case edDSA = "EdDSA"
}
