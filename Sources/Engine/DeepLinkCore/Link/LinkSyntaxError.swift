/// The reason why a text isn't a deep link, with the position of the fault.
///
/// The parser stops at the first fault, so an error names exactly one. Decision record 2 defines the rules. They are
/// narrower than RFC 3986 wherever two URL parsers are known to disagree.
package struct LinkSyntaxError: Error, Hashable, Sendable {
    /// The rule that the text breaks.
    package let reason: Reason

    /// The position of the fault: a byte offset into the UTF-8 text, from 0 to the text's length.
    package let offset: Int

    /// Creates an error from its two parts.
    package init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}

extension LinkSyntaxError {
    /// The fault and its remedy, in two sentences.
    package var message: String { "The link breaks the rule \(reason.rawValue) at byte \(offset). \(reason.advice)" }

    /// A rule that a text can break, with the code in responses as its raw value.
    package enum Reason: String, CaseIterable, Sendable {
        /// The text is empty.
        case empty

        /// The text is over 8,192 bytes, 256 path segments or 128 query pairs.
        case tooLong = "too-long"

        /// The text does not begin with a scheme and a colon (RFC 3986 §3.1).
        case noScheme = "no-scheme"

        /// The path does not begin with a slash, as in `mailto:a@b.c`, and no origin of the scheme allows such links.
        case opaquePath = "opaque-path"

        /// Nothing follows the scheme, as in `nav:`, and no origin of the scheme allows such links.
        case emptyPath = "empty-path"

        /// An `http` or `https` link names no host.
        case missingHost = "missing-host"

        /// The authority carries a user name or password, which phishing links use to disguise the host.
        case userinfo

        /// The host holds a non-ASCII, percent-encoded or otherwise forbidden character, or an empty label.
        case badHost = "bad-host"

        /// The host is an address in brackets (RFC 3986 §3.2.2, IP-literal).
        case ipHost = "ip-host"

        /// The port isn't a number from 0 to 65,535.
        case badPort = "bad-port"

        /// The text holds a backslash, which some parsers read as a slash.
        case backslash

        /// The text holds a control character (U+0000–001F, U+007F–009F), raw or percent-encoded.
        ///
        /// An encoded tab or line end in a value of the query is allowed.
        case controlCharacter = "control-character"

        /// The text begins or ends with a space.
        case surroundingSpace = "surrounding-space"

        /// A percent sign is not followed by two hexadecimal digits (RFC 3986 §2.1).
        case badPercent = "bad-percent"

        /// The decoded bytes are not UTF-8 (RFC 3629), or a character is raw in part and percent-encoded in part.
        case badUTF8 = "bad-utf8"

        /// A decoded segment is `.` or `..`, which clients resolve differently.
        case dotSegment = "dot-segment"
    }
}

extension LinkSyntaxError.Reason {
    /// The remedy for the fault, as a sentence.
    package var advice: String {
        switch self {
        case .empty: "Write a link, such as `https://example.com/path`."
        case .tooLong:
            "Shorten it to \(DeepLink.maximumByteCount) bytes, \(DeepLink.maximumSegmentCount) segments and "
                + "\(DeepLink.maximumPairCount) query pairs."
        case .noScheme: "Begin with a scheme and a colon, such as `https://` or `myapp:/`."
        case .opaquePath: "Begin the path with a slash: `scheme:/path`."
        case .emptyPath: "Write at least a slash after the scheme: `scheme:/`."
        case .missingHost: "Write the host after two slashes: `https://example.com/path`."
        case .userinfo: "Leave out the name before the `@`; in a path, an `@` comes after the first slash."
        case .badHost: "Write the host in ASCII letters, digits, `-`, `.` and `_`, an international one as `xn--…`."
        case .ipHost: "Write a host name instead of an address in brackets."
        case .badPort: "Write a port from 0 to 65535, or none."
        case .backslash: "Write `/`, or `%5C` for a backslash."
        case .controlCharacter:
            "Remove it: only values of the query may have tabs and line ends, encoded as `%09`, `%0A` and `%0D`."
        case .surroundingSpace: "Remove the space, or encode it as `%20`."
        case .badPercent: "Write two hexadecimal digits after the `%`; a percent sign itself is `%25`."
        case .badUTF8: "Encode the text as UTF-8, all bytes of a character alike: `é` is `%C3%A9`."
        case .dotSegment: "Write the path without `.` and `..` as segments: `/a/b` instead of `/a/../a/b`."
        }
    }
}

extension LinkSyntaxError {
    /// Returns the number of bytes that break the rule, from ``offset`` on, or 0 if something is missing there.
    ///
    /// The number is computed on demand, so that the parser records only an offset.
    package func length(in text: [UInt8]) -> Int {
        let rest = text.dropFirst(offset)
        guard let first = rest.first else { return 0 }
        switch reason {
        case .empty, .emptyPath, .missingHost: return 0
        case .tooLong, .opaquePath: return rest.count
        case .backslash, .surroundingSpace, .userinfo: return 1
        case .noScheme, .badHost, .badUTF8, .controlCharacter: return Self.characterCount(rest)
        case .badPercent:
            return 1 + rest.dropFirst().prefix(2).prefix { !Self.endsSegment($0) && $0 != ASCII.percent }.count
        case .ipHost, .badPort, .dotSegment:
            return first == ASCII.slash ? 0 : rest.prefix { !Self.endsSegment($0) }.count
        }
    }

    private static func endsSegment(_ byte: UInt8) -> Bool {
        byte == ASCII.slash || byte == ASCII.question || byte == ASCII.hash
    }

    /// Returns the byte count of the first character, all raw or all escaped (3 for each escape), complete or not.
    private static func characterCount(_ text: ArraySlice<UInt8>) -> Int {
        var codes: [UInt8] = []
        var rest = text
        let isEscaped = text.first == ASCII.percent
        while let byte = rest.first, codes.count < 4 {
            guard isEscaped else {
                codes.append(byte)
                rest = rest.dropFirst()
                continue
            }
            let digits = rest.dropFirst().prefix(2).compactMap { ASCII.hexValue($0) }
            guard byte == ASCII.percent, digits.count == 2 else { break }
            codes.append(digits[0] << 4 | digits[1])
            rest = rest.dropFirst(3)
        }
        let expected =
            switch codes.first ?? 0 {
            case 0xC0...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xFF: 4
            default: 1
            }
        // A character is truncated if a continuation byte is missing (RFC 3629 §3).
        let count = 1 + codes.dropFirst().prefix(expected - 1).prefix { 0x80...0xBF ~= $0 }.count
        return isEscaped ? 3 * count : count
    }
}
