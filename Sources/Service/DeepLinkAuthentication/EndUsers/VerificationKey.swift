import Crypto
import CryptoExtras
import Foundation

/// A key that verifies signatures by one algorithm only.
struct VerificationKey: Sendable {
    /// The key itself.
    ///
    /// It determines the algorithm.
    enum Material: Sendable {
        /// A secret that issuer and service share.
        case secret(CodeKey)

        /// A point of the curve P-256.
        case curve(P256.Signing.PublicKey)

        /// A modulus and an exponent.
        case rsa(_RSA.Signing.PublicKey)

        /// A point of Ed25519.
        case edwards(Curve25519.Signing.PublicKey)
    }

    /// The `kid` by which tokens name the key.
    let id: String

    private let material: Material

    init(_ id: String, material: Material) {
        self.id = id
        self.material = material
    }

    /// The one algorithm that the key is for.
    var algorithm: SignatureAlgorithm {
        switch material {
        case .secret: .hs256
        case .curve: .es256
        case .rsa: .rs256
        case .edwards: .edDSA
        }
    }

    /// Returns whether a signature of some bytes verifies with this key.
    func hasSigned(_ bytes: ArraySlice<UInt8>, as signature: [UInt8]) -> Bool {
        switch material {
        case .secret(let key):
            return key.verifies(signature, of: Array(bytes))
        case .curve(let key):
            // Both numbers with leading zeros, 64 bytes in all (RFC 7518 section 3.4). DER is not accepted.
            guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: SHA256.hash(data: bytes))
        case .rsa(let key):
            let signature = _RSA.Signing.RSASignature(rawRepresentation: signature)
            return key.isValidSignature(signature, for: SHA256.hash(data: bytes), padding: .insecurePKCS1v1_5)
        case .edwards(let key):
            return key.isValidSignature(signature, for: bytes)
        }
    }
}
