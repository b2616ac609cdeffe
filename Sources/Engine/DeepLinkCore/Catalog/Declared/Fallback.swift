/// The address to which browsers without the app are redirected, either for all platforms or for some.
package struct Fallback: Hashable, Sendable {
    /// The address for every platform, or `nil` if the platforms have their own.
    package let everywhere: FallbackPattern?

    /// The addresses of the platforms that have one, in the order of ``DevicePlatform``.
    package let platforms: [DevicePlatform: FallbackPattern]

    /// Creates a fallback with one address for every platform.
    package init(_ address: FallbackPattern) {
        everywhere = address
        platforms = [:]
    }

    /// Creates a fallback with separate addresses for some platforms.
    package init(_ platforms: [DevicePlatform: FallbackPattern]) {
        everywhere = nil
        self.platforms = platforms
    }

    /// The address for browsers on a platform, or `nil` if there is none.
    package subscript(platform: DevicePlatform) -> FallbackPattern? { everywhere ?? platforms[platform] }

    /// Returns the address to continue at on the web: the address for every platform, otherwise the platform's,
    /// otherwise the address for desktops.
    package func onward(from platform: DevicePlatform) -> FallbackPattern? { self[platform] ?? self[.desktop] }
}

/// An https address on the operator's own site, with placeholders for a route's parameters:
/// `https://www.example.com/p/{id}`.
package struct FallbackPattern: Hashable, Sendable {
    /// The text and its placeholders.
    package let template: TextTemplate

    /// The host, in lower case.
    package let host: String

    /// Parses an address, or returns `nil` if it is not https, or has a placeholder in its host.
    package init?(_ text: String) {
        let template = TextTemplate(text)
        // No value may change the host, so the text before the first placeholder must contain all of it.
        var example: [UInt8] = []
        for part in template.parts {
            switch part {
            case .text(let text): example += text.utf8
            case .parameter:
                guard Self.endsHost(example) else { return nil }
                example.append(UInt8(ascii: "1"))
            }
        }
        guard example.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !Self.unsafeBytes.contains($0) }),
            let link = try? DeepLink(bytes: example), link.scheme.bytewise == "https", !link.host.isEmpty
        else { return nil }
        self.template = template
        host = link.host + (link.port.map { ":\($0)" } ?? "")
    }

    /// The bytes that no address may contain unescaped (RFC 3986 §2).
    private static let unsafeBytes = Array("\"<>\\^`{|}".utf8)

    /// Returns whether the host of an address ends before the address's last byte.
    private static func endsHost(_ address: [UInt8]) -> Bool {
        let scheme = Array("https://".utf8)
        guard address.count > scheme.count, address.prefix(scheme.count).elementsEqual(scheme) else { return false }
        return address[scheme.count...].contains { $0 == ASCII.slash || $0 == ASCII.question || $0 == ASCII.hash }
    }

    /// Returns the address for some values, each percent-encoded as in a link.
    ///
    /// - Returns: `nil` if a value is missing, or would be a dot segment of the path (RFC 3986 §5.2.4).
    package func address(with values: [BoundParameter]) -> String? {
        var bytes: [UInt8] = []
        for part in template.parts {
            switch part {
            case .text(let text): bytes += text.utf8
            case .parameter(let name):
                guard let value = values.first(where: { $0.name.bytewise == name.bytewise })?.value else { return nil }
                switch value {
                case .list, .object: return nil
                case .string, .int, .double, .bool: break
                }
                let text = value.text
                guard !text.utf8.allSatisfy({ $0 == ASCII.dot }) else { return nil }
                PercentEncoding.append(text, to: &bytes)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

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
