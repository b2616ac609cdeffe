package import Crypto
import DeepLinkCore
package import DeepLinkStorage

/// The text of a service token, `wm_<id>_<secret><checksum>`.
///
/// Its holder sends it, and it is never stored.
///
/// The secret has 256 random bits, and the checksum is the CRC-32 of everything before it. Both are in base 62 and of
/// fixed length. Prefix and checksum let scanners find leaked tokens with hardly a false alarm.
package struct ServiceTokenText: Sendable {
    /// The prefix of every token.
    package static let prefix = "wm_"

    /// 62^6 is more than 2^32.
    private static let checksumCount = 6

    /// The id of the token, part of its text.
    package let id: ServiceTokenID

    /// The whole token.
    package let text: String

    /// Creates a random token, from the system's source of randomness.
    package init() {
        id = ServiceTokenID()
        let body = "\(Self.prefix)\(id.text)_\(RandomText.secret())"
        text = body + String(decoding: Self.checksum(body.utf8), as: UTF8.self)
    }

    /// Reads a token, or returns `nil` if the text is not a valid token, for example because of a mistyped character.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        let parts = bytes.split(separator: UInt8(ascii: "_"), maxSplits: 2, omittingEmptySubsequences: false)
        guard bytes.starts(with: Self.prefix.utf8), parts.count == 3,
            let id = ServiceTokenID(String(decoding: parts[1], as: UTF8.self)),
            parts[2].count == RandomText.secretCount + Self.checksumCount
        else { return nil }
        guard bytes.suffix(Self.checksumCount).elementsEqual(Self.checksum(bytes.dropLast(Self.checksumCount))) else {
            return nil
        }
        self.id = id
        self.text = text
    }

    /// The digest by which the store identifies the token.
    package var digest: SHA256.Digest { SHA256.hash(data: Array(text.utf8)) }

    /// The CRC-32 of bytes (ISO/IEC 13239, as in gzip, RFC 1952 §8), in base 62.
    private static func checksum(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var remainder = UInt32.max
        for byte in bytes {
            remainder ^= UInt32(byte)
            for _ in 0..<8 { remainder = remainder >> 1 ^ (remainder & 1) * 0xEDB8_8320 }
        }
        var value = ~remainder
        var text = [UInt8](repeating: RandomText.base62[0], count: checksumCount)
        for position in text.indices.reversed() {
            text[position] = RandomText.base62[Int(value % 62)]
            value /= 62
        }
        return text
    }
}
