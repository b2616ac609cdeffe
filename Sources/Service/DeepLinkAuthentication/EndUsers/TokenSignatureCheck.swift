/// The check of tokens' signatures by the keys of a ring, which are read again for a key that is not known.
struct TokenSignatureCheck: Sendable {
    /// The keys.
    let ring: KeyRing

    /// The reader of the keys.
    let refresher: KeySetRefresher

    /// Requires that a token was signed by one of the keys.
    ///
    /// A key that is not known makes the keys be read again, at most every 10 seconds; then this takes up to 5 seconds.
    ///
    /// - Returns: the generation of the keys.
    /// - Throws: ``EndUserTokenError``, of the header, the key or the signature.
    @discardableResult
    func verify(_ token: EndUserToken) async throws(EndUserTokenError) -> Int {
        let (algorithm, id) = try token.namedKey()
        let (key, generation) = try await key(id, for: algorithm)
        guard key.algorithm == algorithm else { throw .algorithm }
        guard key.hasSigned(token.signed, as: token.signature) else { throw .signature }
        return generation
    }

    /// Returns the key that a token names; if it names none, the only one for its algorithm.
    ///
    /// The key settles the algorithm in either case: the token's only chooses among keys, and never how one is used.
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
