import DeepLinkCore

/// A value of a YAML text, with its mark.
///
/// Its texts are untrusted: they are compared by their bytes.
package struct YAMLNode {
    /// The content of a value.
    package enum Content {
        /// A single value, and whether it is written without quotes.
        case scalar(String, isPlain: Bool)

        /// A list.
        case sequence([YAMLNode])

        /// Keys and their values, in the order of the file, without duplicates.
        case mapping([YAMLPair])
    }

    /// The content of the value.
    package let content: Content

    /// The mark at which the value begins.
    package let mark: YAMLMark

    /// The text of a single value, or `nil` for a list or a mapping.
    package var text: String? {
        if case .scalar(let text, _) = content { text } else { nil }
    }

    /// The items of a list, or `nil` for any other value.
    package var items: [YAMLNode]? {
        if case .sequence(let items) = content { items } else { nil }
    }

    /// The pairs of a mapping, or `nil` for any other value.
    package var pairs: [YAMLPair]? {
        if case .mapping(let pairs) = content { pairs } else { nil }
    }

    /// Whether the value is missing, as in `login:`.
    package var isNull: Bool {
        guard case .scalar(let text, isPlain: true) = content else { return false }
        return switch text.bytewise {
        case "", "~", "null": true
        default: false
        }
    }

    /// The kind of the value, for messages.
    var kindInWords: String {
        switch content {
        case .mapping: "a mapping"
        case .sequence: "a list"
        case .scalar: isNull ? "empty" : "a single value"
        }
    }

    /// The name in `{name}` that was intended as a text but is a mapping, because the quotes are missing.
    var unquotedParameter: String? {
        guard let pairs, pairs.count == 1, pairs[0].value.isNull else { return nil }
        return pairs[0].key
    }

    /// A mapping without keys.
    static func emptyMapping(at mark: YAMLMark) -> YAMLNode { YAMLNode(content: .mapping([]), mark: mark) }

    /// The value of a key, or `nil` if the mapping lacks the key or the node is not a mapping.
    ///
    /// - Complexity: linear in the keys.
    subscript(key: ByteText) -> YAMLNode? {
        pairs?.first { $0.key.bytewise == key }?.value
    }
}

/// A key of a mapping, and its value.
package struct YAMLPair {
    /// The key, never empty.
    package let key: String

    /// The mark of the key.
    package let mark: YAMLMark

    /// The value of the key.
    package let value: YAMLNode
}

/// A position in a YAML text.
///
/// Columns are counted in Unicode scalars.
package struct YAMLMark {
    /// The line, counted from 1.
    package let line: Int

    /// The column, counted from 1.
    package let column: Int
}

extension String {
    /// The text with a capital first letter, if that is a letter of ASCII.
    var firstLetterUppercased: String {
        guard let first = utf8.first, ASCII.isLetter(first) else { return self }
        return String(decoding: [first & ~0x20] + utf8.dropFirst(), as: UTF8.self)
    }
}
