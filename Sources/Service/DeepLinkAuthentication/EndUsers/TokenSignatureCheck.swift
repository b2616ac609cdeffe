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
