/// A text with placeholders for the values of parameters: `Product {id}`.
package struct TextTemplate: Hashable, Sendable {
    /// One part of the text.
    package enum Part: Hashable, Sendable {
        /// Literal text.
        case text(String)

        /// The value of the parameter of this name.
        case parameter(String)
    }

    /// The parts in order.
    package let parts: [Part]

    /// The text as the catalog writes it.
    package let source: String

    /// Parses a text, in which braces that don't enclose a parameter's name are literal.
    package init(_ source: String) {
        self.source = source
        var parts: [Part] = []
        var text: [UInt8] = []
        var rest = Array(source.utf8)[...]
        while let byte = rest.first {
            if byte == UInt8(ascii: "{"), let end = rest.firstIndex(of: UInt8(ascii: "}")),
                let name = Identifier(String(decoding: rest[(rest.startIndex + 1)..<end], as: UTF8.self)[...])
            {
                if !text.isEmpty { parts.append(.text(String(decoding: text, as: UTF8.self))) }
                text = []
                parts.append(.parameter(name.text))
                rest = rest[(end + 1)...]
            } else {
                text.append(byte)
                rest = rest.dropFirst()
            }
        }
        if !text.isEmpty { parts.append(.text(String(decoding: text, as: UTF8.self))) }
        self.parts = parts
    }

    /// The names of the parameters, in the order of the text.
    package var names: [String] {
        parts.compactMap { part in
            if case .parameter(let name) = part { name } else { nil }
        }
    }

    /// Compares the texts as written, byte by byte.
    package static func == (left: TextTemplate, right: TextTemplate) -> Bool {
        left.source.bytewise == right.source.bytewise
    }

    /// Hashes the text as written.
    package func hash(into hasher: inout Hasher) { hasher.combine(source.bytewise) }
}
