import DeepLinkCore
import DeepLinkFormats
import Foundation

/// A key that signs links, with the id by which a link names it.
package struct LinkSigningKey: Sendable {
    /// The maximum length of an id, in bytes.
    private static let maximumIDByteCount = 64

    /// The prefix of the signed bytes, so that a signature for another use of the key, or another layout, never
    /// matches.
    private static let purpose = "waymark-link-v1"

    /// The id: ASCII letters, digits, hyphens and underscores.
    package let id: String

    private let key: HMACKey

    /// Creates a key, or returns `nil` if the id or the secret isn't valid.
    package init?(id: String, secret: [UInt8]) {
        guard (1...Self.maximumIDByteCount).contains(id.utf8.count), id.utf8.allSatisfy(Self.isIDByte),
            let key = HMACKey(secret)
        else { return nil }
        self.id = id
        self.key = key
    }

    private static func isIDByte(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || "-_".utf8.contains(byte)
    }

    /// Returns the value of `sig`: the id, a dot, and the HMAC in base64url (RFC 4648 §5).
    func signature(of target: [UInt8], expiry: String?) -> String {
        id + "." + Base64URL.encode(key.code(of: content(target, expiry: expiry)))
    }

    /// Returns whether an HMAC is correct for a target, in a time that does not depend on where they differ.
    func verifies(_ code: [UInt8], of target: [UInt8], expiry: String?) -> Bool {
        key.verifies(code, of: content(target, expiry: expiry))
    }

    /// The bytes that are signed: four lines without a final line feed, none of which can contain one.
    private func content(_ target: [UInt8], expiry: String?) -> [UInt8] {
        Array("\(Self.purpose)\n\(id)\n\(expiry ?? "")\n".utf8) + target
    }
}

extension LinkSigningKey {
    /// Reads the keys of a file: `{"keys":[{"id":"2026-11","secret":"…"}]}`, with secrets in base64.
    ///
    /// - Throws: ``LinkSigningKeyError``. Messages repeat no secret.
    package static func keys(in bytes: [UInt8]) throws(LinkSigningKeyError) -> [LinkSigningKey] {
        guard let value = try? JSONParser.parse(bytes), case .object(let members) = value,
            members.names == ["keys" as ByteText], case .array(let items)? = members["keys"]
        else { throw LinkSigningKeyError("it isn't a JSON object with a list `keys`") }
        var pairs: [(id: String, secret: String)] = []
        for (index, item) in items.enumerated() {
            guard case .object(let members) = item, case .string(let id)? = members["id"],
                case .string(let text)? = members["secret"], members.count == 2
            else { throw LinkSigningKeyError("key \(index + 1) has not just an `id` and a `secret`") }
            pairs.append((id, text))
        }
        return try Self.keys(pairs)
    }

    /// Creates keys from ids and base64-encoded secrets.
    ///
    /// - Throws: ``LinkSigningKeyError``. Messages repeat no secret.
    package static func keys(_ pairs: [(id: String, secret: String)]) throws(LinkSigningKeyError) -> [LinkSigningKey] {
        var keys: [LinkSigningKey] = []
        for (index, pair) in pairs.enumerated() {
            guard let secret = Data(base64Encoded: pair.secret),
                let key = LinkSigningKey(id: pair.id, secret: Array(secret))
            else {
                throw LinkSigningKeyError(
                    "key \(index + 1) needs an `id` of 1 to \(maximumIDByteCount) letters, digits, - and _, and a `secret` of "
                        + "\(HMACKey.minimumByteCount) bytes or more in base64, as `openssl rand -base64 32` makes it"
                )
            }
            guard !keys.contains(where: { $0.id.bytewise == key.id.bytewise }) else {
                throw LinkSigningKeyError("two keys have the id `\(key.id)`")
            }
            keys.append(key)
        }
        guard !keys.isEmpty else { throw LinkSigningKeyError("it has no key") }
        return keys
    }
}

/// The reason why a file cannot be read as signing keys.
package struct LinkSigningKeyError: Error {
    /// The description of the fault, written to follow the name of the file.
    package let message: String

    init(_ message: String) {
        self.message = message
    }
}
