/// An algorithm that signs end users' tokens, by its name in a header's `alg` (RFC 7518 §3.1, RFC 8037 §3.1).
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
