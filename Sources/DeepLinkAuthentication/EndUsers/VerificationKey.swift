import JWTKit

/// Is a key that verifies signatures, by one algorithm only.
struct VerificationKey: Sendable {
    /// The `kid` by which tokens name the key.
    let id: String

    /// The one algorithm that the key is for.
    let algorithm: SignatureAlgorithm

    private let verifier: any JWTAlgorithm

    /// Creates a key of jwt-kit's only key in a collection.
    ///
    /// The collection is asked for its algorithm once and never chooses a key: it would take another where a `kid` is
    /// unknown, and the algorithm where the header says so.
    ///
    /// - Returns: `nil` where the collection's key is of another algorithm.
    init?(_ id: String, _ algorithm: SignatureAlgorithm, in collection: JWTKeyCollection) async {
        guard let verifier = try? await collection.getKey(), verifier.name == algorithm.rawValue else { return nil }
        self.id = id
        self.algorithm = algorithm
        self.verifier = verifier
    }

    /// Whether a signature is this key's for some bytes.
    func hasSigned(_ bytes: ArraySlice<UInt8>, as signature: [UInt8]) -> Bool {
        // An error is a signature whose form is not that of the algorithm.
        (try? verifier.verify(signature, signs: bytes)) ?? false
    }
}
