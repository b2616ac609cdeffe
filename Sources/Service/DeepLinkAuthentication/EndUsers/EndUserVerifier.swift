import Crypto
package import DeepLinkCore
package import Logging

/// The verifier of the tokens by which end users show who they are: JWTs of
/// the issuers and for the audiences of the settings.
///
/// The signature is swift-crypto's to check; the algorithm, the key, extensions and claims are checked here (decision
/// record 7).
package final class EndUserVerifier: Sendable {
    /// Reads the keys again while the service runs; it is a service of its own.
    package let refresher: KeySetRefresher

    private let settings: EndUserSettings
    private let ring: KeyRing
    private let signatures: TokenSignatureCheck

    /// Creates a verifier, which has no keys until its ``refresher`` has read them.
    package convenience init(_ settings: EndUserSettings, logger: Logger) {
        self.init(settings, ring: KeyRing(), logger: logger)
    }

    init(_ settings: EndUserSettings, ring: KeyRing, logger: Logger) {
        self.settings = settings
        self.ring = ring
        refresher = KeySetRefresher(
            source: settings.source,
            pace: settings.pace,
            owner: "end users",
            ring: ring,
            logger: logger
        )
        signatures = TokenSignatureCheck(ring: ring, refresher: refresher)
    }

    /// Whether there are keys; without any, every token is refused.
    package var hasKeys: Bool { ring.current != nil }

    /// The number of keys, and the time since they were last read.
    package var keyFreshness: KeyFreshness { ring.freshness }

    /// The user of a token that was verified within the last minute and is still valid; `nil` for any other, which
    /// ``user(of:at:)`` verifies.
    package func cachedUser(of token: String, at time: Timestamp) -> EndUser? {
        guard token.utf8.count <= EndUserToken.maximumByteCount else { return nil }
        return ring.user(of: Self.digest(token), at: time)
    }

    /// Verifies a token at a moment, and names its user, with the levels and grants that the token gives.
    ///
    /// A key that is not known makes the keys be read again, at most every 10 seconds; then this takes up to 5 seconds.
    ///
    /// - Throws: ``EndUserTokenError``.
    package func user(of token: String, at time: Timestamp) async throws(EndUserTokenError) -> EndUser {
        let parts = try EndUserToken(token)
        let digest = Self.digest(token)
        if let user = ring.user(of: digest, at: time) { return user }
        let generation = try await signatures.verify(parts)
        let claims = try EndUserClaims(
            parts.claims,
            issuers: settings.issuers,
            audiences: settings.audiences,
            levels: settings.levels,
            grants: settings.grants,
            at: time
        )
        ring.remember(digest, of: claims, at: time, generation: generation)
        return claims.user
    }

    private static func digest(_ token: String) -> SHA256Digest {
        var hasher = SHA256()
        var token = token
        token.withUTF8 { hasher.update(bufferPointer: UnsafeRawBufferPointer($0)) }
        return hasher.finalize()
    }
}
