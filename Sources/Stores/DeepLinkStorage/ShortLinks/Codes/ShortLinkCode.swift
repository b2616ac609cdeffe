package import DeepLinkCore

/// The code of a short link: 3 to 128 of `A–Z a–z 0–9 - _`, compared as bytes.
///
/// A code is looked up first as written, then without case (``folded``), then as the server would have spelled it
/// (``spelledByServer``). ``ShortLinkKind`` defines which lookups apply to a link.
package struct ShortLinkCode: Hashable, Sendable {
    /// The minimum length of a code.
    package static let minimumCount = 3

    /// The maximum length of a code.
    package static let maximumCount = 128

    /// The length of a random code, unless its route requires more: 10 characters are 50 bits.
    package static let drawnCount = 10

    /// The alphabet of Crockford's base 32 in lower case, without `i`, `l`, `o` and `u`.
    private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

    /// The code as text.
    package let text: String

    /// Parses a code, or returns `nil` for any other text.
    package init?(_ text: some StringProtocol) {
        let count = text.utf8.count
        guard (Self.minimumCount...Self.maximumCount).contains(count), text.utf8.allSatisfy(Self.isCharacter) else {
            return nil
        }
        self.text = String(text)
    }

    /// Creates a code from a text that is known to be valid.
    private init(unchecked text: String) {
        self.text = text
    }

    /// Creates a random code.
    ///
    /// - Parameters:
    ///   - count: The number of characters, clamped to the limits of a code.
    ///   - generator: The source of randomness, which is the system's outside of tests.
    package init(drawing count: Int, from generator: inout some RandomNumberGenerator) {
        let count = min(max(count, Self.minimumCount), Self.maximumCount)
        var text = ""
        text.reserveCapacity(count)
        var (bits, left): (UInt64, Int) = (0, 0)
        for _ in 0..<count {
            if left == 0 { (bits, left) = (generator.next(), 12) }
            text.unicodeScalars.append(Unicode.Scalar(Self.alphabet[Int(bits & 31)]))
            (bits, left) = (bits >> 5, left - 1)
        }
        self.text = text
    }

    /// The code in lower case, by which codes are compared without case.
    package var folded: ShortLinkCode {
        text.utf8.contains { ASCII.lowercased($0) != $0 } ? mapped(ASCII.lowercased) : self
    }

    /// The code in lower case with `0` for `o`, and `1` for `i` and `l`.
    ///
    /// People confuse these letters, and random codes do not contain them.
    package var spelledByServer: ShortLinkCode {
        mapped { byte in
            switch ASCII.lowercased(byte) {
            case UInt8(ascii: "o"): UInt8(ascii: "0")
            case UInt8(ascii: "i"), UInt8(ascii: "l"): UInt8(ascii: "1")
            case let byte: byte
            }
        }
    }

    private func mapped(_ map: (UInt8) -> UInt8) -> ShortLinkCode {
        ShortLinkCode(unchecked: String(decoding: text.utf8.map(map), as: UTF8.self))
    }

    private static func isCharacter(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
    package static func == (left: ShortLinkCode, right: ShortLinkCode) -> Bool {
        left.text.bytewise == right.text.bytewise
    }
    package func hash(into hasher: inout Hasher) { hasher.combine(text.bytewise) }
}

/// The origin of a short link's code, which decides how it is looked up.
///
/// The raw values are stored.
package enum ShortLinkKind: Int, CaseIterable, Sendable {
    /// A random code, found without case, and with `o`, `i` and `l` for `0` and `1`.
    case drawn = 0

    /// A code chosen by the maker of the link, found without case.
    case given = 1

    /// A code imported from another service, found only as written, so that two codes may differ in case.
    case imported = 2

    /// Returns whether a code as typed matches the code of a link of this kind.
    package func finds(_ code: ShortLinkCode, as written: ShortLinkCode) -> Bool {
        switch self {
        case .drawn: code == written.folded || code == written.spelledByServer
        case .given: code.folded == written.folded
        case .imported: code == written
        }
    }
}

/// A label that groups short links in lists and counts, such as a campaign: 1 to 64 bytes of UTF-8 without control
/// characters, compared as bytes.
package struct ShortLinkLabel: Hashable, Sendable {
    /// The maximum length of a label, in bytes.
    package static let maximumByteCount = 64

    /// The maximum number of labels in use, including labels of withdrawn links.
    package static let maximumCount = 10_000

    /// The label as text.
    package let text: String

    /// Validates a text, or returns `nil` if it is empty, too long, or contains a control character (U+0000–001F,
    /// U+007F–009F).
    package init?(_ text: String) {
        guard ShortLinkText.isAllowed(text, upTo: Self.maximumByteCount) else { return nil }
        self.text = text
    }

    /// Validates the label of a new link.
    ///
    /// Also returns `nil` for `…`, under which counts add up the labels beyond the limit.
    package init?(new text: String) {
        guard text.bytewise != Self.others else { return nil }
        self.init(text)
    }

    /// The label in counts that stands for all labels beyond the limit.
    package static let others: ByteText = "…"
    package static func == (left: ShortLinkLabel, right: ShortLinkLabel) -> Bool {
        left.text.bytewise == right.text.bytewise
    }
    package func hash(into hasher: inout Hasher) { hasher.combine(text.bytewise) }
}

/// The name that a caller gives a short link, so that a retried request makes no second link: 1 to 256 bytes of UTF-8
/// without control characters, compared as bytes.
package struct ShortLinkName: Hashable, Sendable {
    /// The maximum length of a name, in bytes.
    package static let maximumByteCount = 256

    /// The name as text.
    package let text: String

    /// Validates a text, or returns `nil` if it is empty, too long, or contains a control character (U+0000–001F,
    /// U+007F–009F).
    package init?(_ text: String) {
        guard ShortLinkText.isAllowed(text, upTo: Self.maximumByteCount) else { return nil }
        self.text = text
    }
    package static func == (left: ShortLinkName, right: ShortLinkName) -> Bool {
        left.text.bytewise == right.text.bytewise
    }
    package func hash(into hasher: inout Hasher) { hasher.combine(text.bytewise) }
}

/// The rule for labels and names of short links.
enum ShortLinkText {
    /// Returns whether a text is not empty, has at most the given number of bytes, and contains no control character.
    static func isAllowed(_ text: String, upTo maximumByteCount: Int) -> Bool {
        !text.isEmpty && text.utf8.count <= maximumByteCount
            && !text.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }
    }
}
