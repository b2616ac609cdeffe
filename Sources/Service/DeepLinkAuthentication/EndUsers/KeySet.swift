import Crypto
import CryptoExtras
import DeepLinkCore
import DeepLinkFormats
import Foundation

/// The keys that verify end users' tokens: a JWK Set (RFC 7517 §5), read and checked.
package struct KeySet: Sendable {
    /// The author of a key set.
    package enum Origin: Sendable {
        /// The operator, for this service. Every key must be usable.
        case file

        /// An identity provider, for the public. Unusable keys are skipped, and secrets are not allowed.
        case url
    }

    /// The keys by their ids.
    private let keys: [ByteText: VerificationKey]

    /// The keys that are the only ones for their algorithm, for tokens without `kid`.
    private let onlyKeys: [SignatureAlgorithm: VerificationKey]

    /// The number of keys that were skipped because they have another purpose.
    let foreignCount: Int

    /// The faults of other keys that were skipped, each a sentence that names its key.
    let faults: [String]

    /// The number of keys.
    var count: Int { keys.count }

    /// The ids of the keys.
    package var ids: [String] { keys.keys.sorted().map(\.string) }

    /// Whether the set contains a secret key.
    var hasSecrets: Bool { keys.values.contains { $0.algorithm == .hs256 } }

    /// Returns the key with an id, or `nil` if the set lacks it.
    func key(_ id: String) -> VerificationKey? { keys[id.bytewise] }

    /// Returns the key for an algorithm if there is exactly one, or `nil` otherwise.
    func onlyKey(for algorithm: SignatureAlgorithm) -> VerificationKey? { onlyKeys[algorithm] }

    /// Reads a JWK Set.
    ///
    /// Each key needs its own `kid`, and a secret its `alg`. An RSA key without `alg` is for RS256.
    ///
    /// - Throws: ``KeySetError`` with every faulty key and the fix. A file must not contain an unusable key. Any key
    ///   set fails if two keys share a `kid`, or if no key is left.
    package init(_ document: [UInt8], of origin: Origin) throws(KeySetError) {
        var keys: [ByteText: VerificationKey] = [:]
        var issues: [String] = []
        var faults: [String] = []
        var foreignCount = 0
        for (index, item) in try Self.items(document, of: origin).enumerated() {
            let position = "The key at position \(index + 1)"
            guard case .object(let members) = item else {
                faults.append("\(position) is \(item.typeInWords); write an object.")
                continue
            }
            let reader = JWKReader(members: members, origin: origin)
            let name = reader.id.map { "The key `\($0)`" } ?? position
            do throws(JWKError) {
                let key = try reader.key()
                if keys.updateValue(key, forKey: key.id.bytewise) != nil {
                    issues.append("\(name) is there twice; give each key a `kid` of its own.")
                }
            } catch {
                if origin == .url, error.kind == .foreign {
                    foreignCount += 1
                } else {
                    faults.append("\(name) \(error.message)")
                }
            }
        }
        if origin == .file || keys.isEmpty { issues += faults }
        if keys.isEmpty, issues.isEmpty { issues.append("There is no key to verify tokens with.") }
        guard issues.isEmpty else { throw .invalid(issues) }
        self.keys = keys
        onlyKeys = Dictionary(grouping: keys.values, by: \.algorithm).compactMapValues { $0.count == 1 ? $0[0] : nil }
        self.faults = faults
        self.foreignCount = foreignCount
    }

    private static func items(_ document: [UInt8], of origin: Origin) throws(KeySetError) -> [JSONValue] {
        let value: JSONValue
        do throws(JSONSyntaxError) {
            value = try JSONParser.parse(document)
        } catch {
            // The message may repeat text of the document, which is not logged if it comes from another party.
            let message = origin == .file ? "at byte \(error.offset), \(error.message)" : "see byte \(error.offset)"
            throw .invalid(["It is not JSON: \(message)."])
        }
        guard case .object(let members) = value, case .array(let items)? = members["keys"] else {
            throw .invalid([#"It isn't a JWK Set (RFC 7517 section 5); write {"keys":[…]}."#])
        }
        return items
    }
}

/// A key that verifies signatures by one algorithm only.
struct VerificationKey: Sendable {
    /// The key itself.
    ///
    /// It determines the algorithm.
    enum Material: Sendable {
        /// A secret that issuer and service share.
        case secret(HMACKey)

        /// A point of the curve P-256.
        case curve(P256.Signing.PublicKey)

        /// A modulus and an exponent.
        case rsa(_RSA.Signing.PublicKey)

        /// A point of Ed25519.
        case edwards(Curve25519.Signing.PublicKey)
    }

    /// The `kid` by which tokens name the key.
    let id: String

    let material: Material

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
