import Crypto
import CryptoExtras
import DeepLinkCore
import DeepLinkFormats

/// The reader of a JSON Web Key (RFC 7517 §4), for a key of one of the four algorithms.
struct JWKReader {
    /// The sizes of RSA keys in bits: the minimum of RFC 7518 §3.3, and the maximum of the library.
    static let modulusBitCounts = 2048...8192

    private static let privateMembers: [ByteText] = ["d", "p", "q", "dp", "dq", "qi", "oth"]

    let members: JSONObject
    let origin: KeySet.Origin

    /// The key's id, or `nil` if it has none that can be printed.
    var id: String? {
        guard case .string(let id)? = members["kid"], !id.isEmpty, id.utf8.count <= 256,
            !id.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { return nil }
        return id
    }

    /// Reads the key.
    ///
    /// - Throws: ``JWKError``.
    func key() throws(JWKError) -> VerificationKey {
        guard let type = try text("kty") else { throw faulty("has no `kty`; write EC, OKP, RSA or oct.") }
        guard ["EC", "OKP", "RSA", "oct"].contains(type.bytewise) else {
            throw foreign("has a `kty` that is none of EC, OKP, RSA and oct.")
        }
        if let use = try text("use")?.bytewise, use != "sig" { throw foreign("has a `use` that is not `sig`.") }
        if let operations = members["key_ops"] {
            guard case .array(let names) = operations, names.contains(.string("verify")) else {
                throw foreign("has `key_ops` without `verify`.")
            }
        }
        let material = try material(type)
        guard let id else {
            throw faulty("has no `kid`, by which tokens name it: a text of 1 to 256 bytes without control characters.")
        }
        return VerificationKey(id: id, material: material)
    }

    private func material(_ type: String) throws(JWKError) -> VerificationKey.Material {
        switch type.bytewise {
        case "EC":
            try requireCurve("P-256")
            try require(.es256, isImplied: true)
            try requirePublic()
            let (x, y) = (try bytes("x", count: 32), try bytes("y", count: 32))
            guard let key = try? P256.Signing.PublicKey(rawRepresentation: x + y) else {
                throw faulty("has `x` and `y` that aren't a point of the curve P-256.")
            }
            return .curve(key)
        case "OKP":
            try requireCurve("Ed25519")
            try require(.edDSA, isImplied: true)
            try requirePublic()
            let x = try bytes("x", count: 32)
            guard !Ed25519Point.isOfSmallOrder(x) else {
                throw faulty("has an `x` of small order, for which anybody can make signatures; make a new key.")
            }
            guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: x) else {
                throw faulty("has an `x` that isn't an Ed25519 key.")
            }
            return .edwards(key)
        case "RSA":
            // RFC 7517 section 4.4 makes `alg` optional, and providers omit it. A token must name it nevertheless.
            try require(.rs256, isImplied: true)
            try requirePublic()
            return .rsa(try rsaKey())
        default:
            try require(.hs256, isImplied: false)
            guard origin == .file else {
                throw faulty("is a secret (`kty` oct) that anyone can fetch; publish public keys only.")
            }
            let secret = try bytes("k")
            guard let key = HMACKey(secret) else {
                throw faulty(
                    "has a secret of \(secret.count) bytes; HS256 needs \(HMACKey.minimumByteCount) or more "
                        + "(RFC 7518 section 3.2)."
                )
            }
            return .secret(key)
        }
    }

    private func rsaKey() throws(JWKError) -> _RSA.Signing.PublicKey {
        let (modulus, exponent) = (try bytes("n"), try bytes("e"))
        let digits = modulus.drop { $0 == 0 }
        let bitCount = digits.count * 8 - (digits.first?.leadingZeroBitCount ?? 0)
        guard Self.modulusBitCounts.contains(bitCount) else {
            throw faulty(
                "has an `n` of \(bitCount) bits; make an RSA key of \(Self.modulusBitCounts.lowerBound) to "
                    + "\(Self.modulusBitCounts.upperBound) bits."
            )
        }
        guard let key = try? _RSA.Signing.PublicKey(n: modulus, e: exponent) else {
            throw faulty("has `n` and `e` that aren't an RSA key; `e` is usually AQAB.")
        }
        return key
    }

    // MARK: Members

    private func requireCurve(_ curve: String) throws(JWKError) {
        guard let name = try text("crv") else { throw faulty("has no `crv`; write \(curve).") }
        guard name.bytewise == curve.bytewise else { throw foreign("has a `crv` that is not \(curve).") }
    }

    private func require(_ algorithm: SignatureAlgorithm, isImplied: Bool) throws(JWKError) {
        guard let name = try text("alg") else {
            if isImplied { return }
            throw faulty("has no `alg`, which its `kty` does not settle; write \(algorithm.rawValue).")
        }
        guard name.bytewise == algorithm.rawValue.bytewise else {
            throw foreign("has an `alg` that is not \(algorithm.rawValue), the one for its `kty` here.")
        }
    }

    private func requirePublic() throws(JWKError) {
        guard !Self.privateMembers.contains(where: { members[$0] != nil }) else {
            throw faulty("holds its private part; leave only the public one, and replace the key if others saw it.")
        }
    }

    private func text(_ name: String) throws(JWKError) -> String? {
        switch members[name.bytewise] {
        case nil: return nil
        case .string(let text)?: return text
        case let value?: throw faulty("has a `\(name)` that is \(value.typeInWords); write a string.")
        }
    }

    private func bytes(_ name: String, count: Int? = nil) throws(JWKError) -> [UInt8] {
        guard let text = try text(name), !text.isEmpty else { throw faulty("has no `\(name)`.") }
        guard let bytes = Base64URL.decode(text.utf8) else {
            throw faulty("has a `\(name)` that is not base64url without padding (RFC 7515 section 2).")
        }
        if let count, bytes.count != count {
            throw faulty("has a `\(name)` of \(bytes.count) bytes; it must be \(count).")
        }
        return bytes
    }

    private func faulty(_ message: String) -> JWKError { JWKError(kind: .faulty, message: message) }

    private func foreign(_ message: String) -> JWKError { JWKError(kind: .foreign, message: message) }
}

/// The reason why a key of a key set cannot be used.
///
/// It contains nothing of the key but its id and type.
struct JWKError: Error {
    /// The severity of the reason: a key that another service may need, or a fault in any key set.
    enum Kind {
        /// The key is for another purpose, such as encryption or an unsupported algorithm.
        case foreign

        /// The key is malformed, too weak or without a declared purpose.
        case faulty
    }

    let kind: Kind

    /// The fault and its fix: a sentence that begins with a verb, since the key's name precedes it.
    let message: String
}

/// The encodings of points of edwards25519 (RFC 8032 §5.1.2) that aren't valid keys.
enum Ed25519Point {
    /// The canonical and other encodings of the points of order 1, 2, 4 and 8, without the sign bit.
    ///
    /// A signature by such a "key" is valid for many messages (eprint.iacr.org/2020/1244, table 6c).
    private static let smallOrder: [[UInt8]] = [
        // Order 4: y = 0.
        [UInt8](repeating: 0, count: 32),
        // Order 1: y = 1.
        [1] + [UInt8](repeating: 0, count: 31),
        // Order 8.
        [
            0x26, 0xE8, 0x95, 0x8F, 0xC2, 0xB2, 0x27, 0xB0, 0x45, 0xC3, 0xF4, 0x89, 0xF2, 0xEF, 0x98, 0xF0, 0xD5, 0xDF,
            0xAC, 0x05, 0xD3, 0xC6, 0x33, 0x39, 0xB1, 0x38, 0x02, 0x88, 0x6D, 0x53, 0xFC, 0x05,
        ],
        // Order 8.
        [
            0xC7, 0x17, 0x6A, 0x70, 0x3D, 0x4D, 0xD8, 0x4F, 0xBA, 0x3C, 0x0B, 0x76, 0x0D, 0x10, 0x67, 0x0F, 0x2A, 0x20,
            0x53, 0xFA, 0x2C, 0x39, 0xCC, 0xC6, 0x4E, 0xC7, 0xFD, 0x77, 0x92, 0xAC, 0x03, 0x7A,
        ],
        // Order 2: y = p - 1.
        [0xEC] + [UInt8](repeating: 0xFF, count: 30) + [0x7F],
        // Order 4, not canonical: y = p.
        [0xED] + [UInt8](repeating: 0xFF, count: 30) + [0x7F],
        // Order 1, not canonical: y = p + 1.
        [0xEE] + [UInt8](repeating: 0xFF, count: 30) + [0x7F],
    ]

    /// Returns whether the 32 bytes of a key encode a point of small order, with either sign.
    static func isOfSmallOrder(_ key: [UInt8]) -> Bool {
        guard let last = key.last else { return false }
        let unsigned = key.dropLast() + [last & 0x7F]
        return smallOrder.contains { $0.elementsEqual(unsigned) }
    }
}
