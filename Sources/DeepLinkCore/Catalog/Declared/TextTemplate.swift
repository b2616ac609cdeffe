/// A text with places for the values of parameters: `Product {id}`.
public struct TextTemplate: Hashable, Sendable {
    /// One stretch of the text.
    public enum Part: Hashable, Sendable {
        /// These characters.
        case text(String)

        /// The value of the parameter of this name.
        case parameter(String)
    }

    /// The stretches in order.
    public let parts: [Part]

    /// The text as the catalog writes it.
    public let source: String

    /// Reads a text; braces that hold no name of a parameter stand for themselves.
    public init(_ source: String) {
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
    public var names: [String] {
        parts.compactMap { part in
            if case .parameter(let name) = part { name } else { nil }
        }
    }

    /// Compares the texts as written, byte by byte.
    public static func == (left: TextTemplate, right: TextTemplate) -> Bool {
        left.source.bytewise == right.source.bytewise
    }

    /// Hashes the text as written.
    public func hash(into hasher: inout Hasher) { hasher.combine(source.bytewise) }
}
