import Crypto
package import DeepLinkCore
package import Logging

/// The verifier of end users' tokens: JWTs from the configured issuers for the configured audiences.
///
/// swift-crypto checks the signature. The algorithm, the key, extensions and claims are checked here (decision record
/// 7).
package final class EndUserVerifier: Sendable {
    /// The service that reads the keys again while the server runs.
    package let refresher: KeySetRefresher

    private let settings: EndUserSettings
    private let ring: KeyRing
    private let signatures: TokenSignatureCheck

    /// Creates a verifier without keys.
    ///
    /// Its ``refresher`` reads them.
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

    /// Whether keys are loaded.
    ///
    /// Without any, every token is refused.
    package var hasKeys: Bool { ring.current != nil }

    /// The number of keys, and the time since they were last read.
    package var keyFreshness: KeyFreshness { ring.freshness }

    /// Returns the user of a token that was verified within the last minute and is still valid, or `nil` if
    /// ``user(of:at:)`` has to verify it.
    package func cachedUser(of token: String, at time: Timestamp) -> EndUser? {
        guard token.utf8.count <= EndUserToken.maximumByteCount else { return nil }
        return ring.user(of: Self.digest(token), at: time)
    }

    /// Verifies a token at a given time, and returns its user, with the levels and grants that the token gives.
    ///
    /// An unknown key triggers a new read of the keys, at most every 10 seconds. Verification then takes up to 5
    /// seconds.
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

/// The check of tokens' signatures with the keys of a ring.
///
/// The keys are read again if a token names an unknown one.
struct TokenSignatureCheck: Sendable {
    let ring: KeyRing

    /// The service that reads the keys again.
    let refresher: KeySetRefresher

    /// Checks that a token was signed by one of the keys.
    ///
    /// An unknown key triggers a new read of the keys, at most every 10 seconds. The check then takes up to 5 seconds.
    ///
    /// - Returns: the generation of the keys.
    /// - Throws: ``EndUserTokenError``, about the header, the key or the signature.
    @discardableResult
    func verify(_ token: EndUserToken) async throws(EndUserTokenError) -> Int {
        let (algorithm, id) = try token.namedKey()
        let (key, generation) = try await key(id, for: algorithm)
        guard key.algorithm == algorithm else { throw .algorithm }
        guard key.hasSigned(token.signed, as: token.signature) else { throw .signature }
        return generation
    }

    /// Returns the key that a token names, or the only one for its algorithm if it names none.
    ///
    /// The key determines the algorithm in either case. The token's `alg` only selects a key, never how it is used.
    private func key(
        _ id: String?,
        for algorithm: SignatureAlgorithm
    ) async throws(EndUserTokenError) -> (key: VerificationKey, generation: Int) {
        func find(_ keys: KeySet) -> VerificationKey? {
            if let id { keys.key(id) } else { keys.onlyKey(for: algorithm) }
        }
        if let (keys, generation) = ring.current, let key = find(keys) { return (key, generation) }
        await refresher.refreshForUnknownKey()
        guard let (keys, generation) = ring.current else { throw .keysUnavailable }
        guard let key = find(keys) else { throw .unknownKey }
        return (key, generation)
    }
}
