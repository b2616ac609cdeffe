package import DeepLinkCore
package import DeepLinkFormats

/// A line of a file of short links: the whole stored link except for its former versions.
package struct ShortLinkRecordBody: WireBody {
    private let link: ShortLink

    /// Creates the line of a link.
    package init(_ link: ShortLink) {
        self.link = link
    }

    /// Writes the body as JSON.
    package func write(to writer: inout JSONWriter) {
        let contents = link.contents
        writer.object { writer in
            writer.members([
                ("code", link.code.text), ("kind", ShortLinkRecordLine.name(of: link.kind)),
                ("target", contents.target.text), ("shape", contents.target.shape.text),
                ("values", Base64URL.encode(contents.target.values)), ("name", link.naming?.name.text),
                ("terms", link.naming.map { Base64URL.encode($0.terms) }), ("host", contents.host),
                ("label", contents.label?.text), ("expires", contents.expires?.rfc3339),
                ("about", contents.about?.text),
                ("signatureEnd", contents.signature?.end?.rfc3339),
            ])
            if contents.signature != nil { writer.member("signed", true) }
            if contents.isWithdrawn { writer.member("withdrawn", true) }
            writer.member("createdAt", link.createdAt.rfc3339)
            writer.member("by", link.author)
        }
    }
}

/// A parsed line of a file of short links.
package struct ShortLinkRecordLine {
    /// The maximum length of a line, in bytes: the longest target as text and as values, and the rest.
    package static let maximumByteCount = 1 << 16

    private static let keys = [
        "code", "kind", "target", "shape", "values", "name", "terms", "host", "label", "expires", "about", "signed",
        "signatureEnd", "withdrawn", "createdAt", "by",
    ]

    /// The maximum length of an author, in bytes.
    private static let maximumAuthorByteCount = 256

    /// The code of the link, in the spelling of the file.
    package let code: ShortLinkCode

    /// The origin of the code.
    package let kind: ShortLinkKind

    /// The name, or `nil` if there is none.
    package let naming: ShortLinkNaming?

    /// The destination and the other replaceable parts.
    package let contents: ShortLinkContents

    /// The time at which the link was made.
    package let createdAt: Timestamp

    /// The author of the first version.
    package let author: String

    /// Parses the bytes of a line.
    ///
    /// - Throws: `Problem` of code `invalid-request`, naming the field.
    package init(_ bytes: [UInt8]) throws(Problem) {
        let body = try JSONObjectBody(bytes, keys: Self.keys)
        func value<Value>(_ key: String, _ read: (String) -> Value?) throws(Problem) -> Value? {
            guard let text = try body.string(key) else { return nil }
            guard let value = read(text) else {
                throw .invalidValue(field: key, detail: "`\(key)` isn't as `export` writes it.")
            }
            return value
        }
        func required<Value>(_ key: String, _ read: (String) -> Value?) throws(Problem) -> Value {
            guard let value = try value(key, read) else {
                throw .missing(field: key, detail: "The line has no `\(key)`.")
            }
            return value
        }
        func flag(_ key: String) throws(Problem) -> Bool {
            switch body[key] {
            case nil: return false
            case .bool(let flag)?: return flag
            case let value?:
                throw .wrongType(field: key, detail: "`\(key)` is \(value.typeInWords); send a truth value.")
            }
        }
        code = try required("code") { ShortLinkCode($0) }
        kind = try required("kind") { text in
            ShortLinkKind.allCases.first { Self.name(of: $0).bytewise == text.bytewise }
        }
        let target = ShortLinkTarget(
            shape: ShortLinkShape(text: try required("shape") { $0 }),
            values: try required("values") { Base64URL.decode($0.utf8) },
            text: try required("target") { $0.utf8.count <= ShortLinkTarget.maximumTextByteCount ? $0 : nil }
        )
        guard target.stack?.isEmpty == false else {
            throw .invalidValue(field: "values", detail: "`values` aren't those of the `shape`; `export` writes both.")
        }
        let terms = try value("terms") { Base64URL.decode($0.utf8) }
        naming = try value("name", ShortLinkName.init).map { ShortLinkNaming(name: $0, terms: terms ?? []) }
        let end = try value("signatureEnd") { Timestamp(rfc3339: $0) }
        contents = ShortLinkContents(
            host: try value("host") { $0.utf8.count <= 261 ? $0 : nil },
            target: target,
            label: try value("label") { ShortLinkLabel($0) },
            expires: try value("expires") { Timestamp(rfc3339: $0) },
            about: try value("about") { UserID(stored: $0) },
            signature: try flag("signed") ? ShortLinkSignature(end: end) : nil,
            isWithdrawn: try flag("withdrawn")
        )
        createdAt = try required("createdAt") { Timestamp(rfc3339: $0) }
        author = try required("by") { $0.utf8.count <= Self.maximumAuthorByteCount ? $0 : nil }
    }

    /// Returns the name of a kind of code in the file.
    static func name(of kind: ShortLinkKind) -> String {
        switch kind {
        case .drawn: "drawn"
        case .given: "given"
        case .imported: "imported"
        }
    }
}
