/// An https address on a site of one's own, with places for the values of a route's parameters:
/// `https://www.example.com/p/{id}`.
public struct FallbackPattern: Hashable, Sendable {
    /// The text and its places.
    public let template: TextTemplate

    /// The host, in lower case.
    public let host: String

    /// Reads an address; `nil` where it is not https, or a parameter would stand in its host.
    public init?(_ text: String) {
        let template = TextTemplate(text)
        // Whatever a value is, it stands behind the host: what comes before the first place names the whole of it.
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

    /// The bytes that no address has as they are (RFC 3986 §2).
    private static let unsafeBytes = Array("\"<>\\^`{|}".utf8)

    /// Returns whether the host of an address has ended before its last byte.
    private static func endsHost(_ address: [UInt8]) -> Bool {
        let scheme = Array("https://".utf8)
        guard address.count > scheme.count, address.prefix(scheme.count).elementsEqual(scheme) else { return false }
        return address[scheme.count...].contains { $0 == ASCII.slash || $0 == ASCII.question || $0 == ASCII.hash }
    }

    /// Prints the address for some values, each percent-encoded as in a link.
    ///
    /// - Returns: `nil` where a value is missing, or would be read as a step in the path (RFC 3986 §5.2.4).
    public func address(with values: [BoundParameter]) -> String? {
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
