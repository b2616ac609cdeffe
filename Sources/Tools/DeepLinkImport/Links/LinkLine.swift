package import DeepLinkCore
import DeepLinkFormats

/// A line of a list of links: a link alone, or a JSON object with the member `link`.
package enum LinkLine {
    /// The line has a link.
    case link(DeepLink)

    /// The line is empty, or a comment.
    case nothing

    /// The line has no link, for a reason.
    case fault(String)

    /// Reads a line.
    package init(_ line: ArraySlice<UInt8>) {
        var line = line.drop(while: Self.isSpace)
        while let last = line.last, Self.isSpace(last) { line = line.dropLast() }
        guard let first = line.first, first != UInt8(ascii: "#") else {
            self = .nothing
            return
        }
        guard first == UInt8(ascii: "{") else {
            self = Self.read(Array(line))
            return
        }
        guard let json = try? JSONParser.parse(Array(line), takesLast: true), case .object(let object) = json,
            case .string(let link)? = object["link"]
        else {
            self = .fault("a JSON object without a `link`")
            return
        }
        self = Self.read(Array(link.utf8))
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

    /// Reads the bytes of a link.
    private static func read(_ bytes: [UInt8]) -> LinkLine {
        do throws(LinkSyntaxError) {
            return .link(try DeepLink(bytes: bytes))
        } catch {
            let isRootless =
                error.reason == .opaquePath && looksRootless(bytes[..<(error.offset - 1)], rest: bytes[error.offset...])
            guard isRootless, let link = try? DeepLink(bytes: bytes, rootless: .all) else {
                return .fault("\(error.reason.rawValue) at byte \(error.offset). \(error.reason.advice)")
            }
            return .link(link)
        }
    }

    /// Returns whether a text without slashes behind its scheme is a link nevertheless, such as `matrix:u/alice`.
    ///
    /// `example.com:443/a` and `note:text` are none.
    private static func looksRootless(_ scheme: ArraySlice<UInt8>, rest: ArraySlice<UInt8>) -> Bool {
        !scheme.contains(UInt8(ascii: ".")) && rest.first.map(ASCII.isDigit) != true
            && rest.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "@") }
    }
}
