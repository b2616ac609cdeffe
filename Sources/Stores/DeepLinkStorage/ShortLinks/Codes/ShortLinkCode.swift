package import DeepLinkCore

/// The code of a short link: 3 to 128 of `A–Z a–z 0–9 - _`, compared as bytes.
///
/// A code is looked up as written first, then without case (``folded``), then as the server would have spelled it
/// (``spelledByServer``); ``ShortLinkKind`` says which kinds are found in which way.
package struct ShortLinkCode: Hashable, Sendable {
    /// The fewest characters of a code.
    package static let minimumCount = 3

    /// The most characters of a code.
    package static let maximumCount = 128

    /// The characters of a code that the server draws, unless its route asks for more: 50 bits.
    package static let drawnCount = 10

    /// Crockford's base 32 in lower case: no `i`, `l`, `o` and `u`.
    private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

    /// The code as text.
    package let text: String

    /// Parses a code; `nil` for any other text.
    package init?(_ text: some StringProtocol) {
        let count = text.utf8.count
        guard (Self.minimumCount...Self.maximumCount).contains(count), text.utf8.allSatisfy(Self.isCharacter) else {
            return nil
        }
        self.text = String(text)
    }

    /// Takes the text of a code that is known to be one.
    private init(unchecked text: String) {
        self.text = text
    }

    /// Draws a code of the server's.
    ///
    /// - Parameters:
    ///   - count: The number of characters; brought into the bounds of a code.
    ///   - generator: The source of randomness; the system's, outside of tests.
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

    /// The code in lower case, which tells codes apart that are compared without case.
    package var folded: ShortLinkCode {
        text.utf8.contains { ASCII.lowercased($0) != $0 } ? mapped(ASCII.lowercased) : self
    }

    /// The code in lower case with `0` for `o`, and `1` for `i` and `l`: the server draws none of these letters, and people
    /// mistake them.
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

    /// Compares the bytes.
    package static func == (left: ShortLinkCode, right: ShortLinkCode) -> Bool {
        left.text.bytewise == right.text.bytewise
    }

    /// Hashes the bytes.
    package func hash(into hasher: inout Hasher) { hasher.combine(text.bytewise) }
}

/// The origin of a short link's code, which says how it is found; the raw values are stored.
package enum ShortLinkKind: Int, CaseIterable, Sendable {
    /// Drawn by the server: found without case, and with `o`, `i` and `l` for `0` and `1`.
    case drawn = 0

    /// Given by its maker: found without case.
    case given = 1

    /// Brought from another service: found as written alone, so that two may differ in case.
    case imported = 2

    /// Returns whether a link of this kind is found under a code as somebody wrote it.
    ///
    /// - Parameters:
    ///   - code: The code of the link.
    ///   - written: The code as written.
    /// - Returns: Whether it is found.
    package func finds(_ code: ShortLinkCode, as written: ShortLinkCode) -> Bool {
        switch self {
        case .drawn: code == written.folded || code == written.spelledByServer
        case .given: code.folded == written.folded
        case .imported: code == written
        }
    }
}

/// A word by which short links are listed and counted together, as of one campaign: 1 to 64 bytes of UTF-8 without control
/// characters, compared as bytes.
package struct ShortLinkLabel: Hashable, Sendable {
    /// The most bytes of a label.
    package static let maximumByteCount = 64

    /// The most labels in use: those that some short link has, withdrawn ones included.
    package static let maximumCount = 10_000

    /// The label as text.
    package let text: String

    /// Checks a text; `nil` if it is empty, too long, or holds a control character (U+0000–001F, U+007F–009F).
    package init?(_ text: String) {
        guard ShortLinkText.isAllowed(text, upTo: Self.maximumByteCount) else { return nil }
        self.text = text
    }

    /// Checks the label of a new link; `nil` also for `…`, under which counts add up the labels beyond their bound.
    package init?(new text: String) {
        guard text.bytewise != Self.others else { return nil }
        self.init(text)
    }

    /// The text of counts that stands for all labels beyond their bound.
    package static let others: ByteText = "…"

    /// Compares the bytes.
    package static func == (left: ShortLinkLabel, right: ShortLinkLabel) -> Bool {
        left.text.bytewise == right.text.bytewise
    }

    /// Hashes the bytes.
    package func hash(into hasher: inout Hasher) { hasher.combine(text.bytewise) }
}

/// The name that a caller gives a short link, so that sending the request again makes no second one: 1 to 256 bytes of
/// UTF-8 without control characters, compared as bytes.
package struct ShortLinkName: Hashable, Sendable {
    /// The most bytes of a name.
    package static let maximumByteCount = 256

    /// The name as text.
    package let text: String

    /// Checks a text; `nil` if it is empty, too long, or holds a control character (U+0000–001F, U+007F–009F).
    package init?(_ text: String) {
        guard ShortLinkText.isAllowed(text, upTo: Self.maximumByteCount) else { return nil }
        self.text = text
    }

    /// Compares the bytes.
    package static func == (left: ShortLinkName, right: ShortLinkName) -> Bool {
        left.text.bytewise == right.text.bytewise
    }

    /// Hashes the bytes.
    package func hash(into hasher: inout Hasher) { hasher.combine(text.bytewise) }
}

/// The rule for the texts that callers give short links.
enum ShortLinkText {
    /// Returns whether a text is not empty, has at most so many bytes, and holds no control character.
    static func isAllowed(_ text: String, upTo maximumByteCount: Int) -> Bool {
        !text.isEmpty && text.utf8.count <= maximumByteCount
            && !text.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }
    }
}
