import DeepLinkCore

/// The text that Google Play hands to an app at its first start: the link that led to the store, and its campaign
/// (decision record 37).
enum InstallReferrer {
    /// The most bytes of the text, encoded as a value of the store's address.
    static let maximumByteCount = 1_024

    /// Encodes the text as a value.
    ///
    /// - Parameters:
    ///   - link: the https link; `nil` if it isn't carried. It is left out if the text would be too long.
    ///   - campaign: the pairs of the campaign; left out if they alone are too long.
    /// - Returns: the encoded text; `nil` if it would be empty.
    static func encoded(link: String?, campaign: [QueryItem]) -> String? {
        let pairs = campaign.map { item in
            "\(ValueEncoding.encoded(item.name))=\(ValueEncoding.encoded(item.value ?? ""))"
        }
        let linkPair = link.map { ["waymark=\(ValueEncoding.encoded($0))"] } ?? []
        for parts in [linkPair + pairs, pairs] where !parts.isEmpty {
            let text = ValueEncoding.encoded(parts.joined(separator: "&"))
            if text.utf8.count <= maximumByteCount { return text }
        }
        return nil
    }
}

/// The percent-encoding of a value within an address of another site: all but letters, digits and `-._~` is encoded.
enum ValueEncoding {
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Returns a text encoded as a value.
    static func encoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(2 * text.utf8.count)
        for byte in text.utf8 {
            if (byte | 0x20) &- 0x61 < 26 || ASCII.isDigit(byte) || "-._~".utf8.contains(byte) {
                bytes.append(byte)
            } else {
                bytes.append(UInt8(ascii: "%"))
                bytes.append(digits[Int(byte >> 4)])
                bytes.append(digits[Int(byte & 15)])
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
