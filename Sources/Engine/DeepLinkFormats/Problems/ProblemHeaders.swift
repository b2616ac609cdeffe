import DeepLinkCore

/// The header fields that only the response to a problem has, such as `Retry-After`, in their order.
///
/// They are plain texts, because an app that embeds the engine has problems without HTTP.
package struct ProblemHeaders: Sendable {
    /// The name of a field.
    package struct Name: Hashable, Sendable {
        package static let accept = Name("Accept")
        package static let acceptEncoding = Name("Accept-Encoding")
        package static let allow = Name("Allow")
        package static let retryAfter = Name("Retry-After")
        package static let wwwAuthenticate = Name("WWW-Authenticate")

        /// The name as sent.
        package let text: String

        /// Creates a name from its text.
        package init(_ text: String) {
            self.text = text
        }

        /// Compares the names byte by byte.
        package static func == (left: Name, right: Name) -> Bool { left.text.bytewise == right.text.bytewise }

        /// Hashes the bytes of the name.
        package func hash(into hasher: inout Hasher) { hasher.combine(text.bytewise) }
    }

    /// The fields.
    package private(set) var fields: [(name: Name, value: String)]

    /// Creates a list of fields.
    package init(_ fields: [(name: Name, value: String)]) {
        self.fields = fields
    }

    /// Whether there is no field.
    package var isEmpty: Bool { fields.isEmpty }

    /// Returns the fields, followed by other fields.
    func adding(_ others: ProblemHeaders) -> ProblemHeaders { ProblemHeaders(fields + others.fields) }

    /// The value of the first field of a name, or `nil` if there is none.
    package subscript(name: Name) -> String? { fields.first { $0.name == name }?.value }
}

extension ProblemHeaders: ExpressibleByDictionaryLiteral {
    /// Creates a list of fields from a literal.
    package init(dictionaryLiteral elements: (Name, String)...) {
        self.init(elements.map { (name: $0, value: $1) })
    }
}
