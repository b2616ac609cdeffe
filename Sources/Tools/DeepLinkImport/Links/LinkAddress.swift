import DeepLinkCore

/// The scheme and the host of a link, with what its path and fragment say about its origin.
struct LinkAddress: Hashable {
    /// The scheme in lower case.
    let scheme: String

    /// The host in lower case, with its port if it has one, or an empty text.
    let host: String

    /// Whether the path follows the scheme without a slash.
    let isRootless: Bool

    init(_ link: DeepLink) {
        scheme = link.scheme
        host = Origin.host(link.authority, ofScheme: link.scheme)
        isRootless = link.isRootless
    }

    /// Whether the scheme is `http` or `https`.
    var isWeb: Bool { scheme.bytewise == "https" || scheme.bytewise == "http" }

    static func == (left: LinkAddress, right: LinkAddress) -> Bool {
        left.scheme.bytewise == right.scheme.bytewise && left.host.bytewise == right.host.bytewise
            && left.isRootless == right.isRootless
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(scheme.bytewise)
        hasher.combine(host.bytewise)
        hasher.combine(isRootless)
    }
}

extension DeepLink {
    /// The path and query in the fragment, if the fragment begins with a slash.
    var fragmentReference: DeepLink? {
        guard let start = bytes.firstIndex(of: UInt8(ascii: "#")), start + 1 < bytes.count,
            bytes[start + 1] == UInt8(ascii: "/")
        else { return nil }
        // A number sign inside is not one of a path.
        let text = bytes[(start + 1)...].flatMap { $0 == UInt8(ascii: "#") ? Array("%23".utf8) : [$0] }
        return try? DeepLink(reference: text)
    }
}

/// The part of a link that routes are inferred from: the segments of its path, and the pairs of its query.
struct RoutedLink {
    /// The decoded segments, of which a host that is a segment is the first.
    let segments: [String]

    /// The decoded pairs of the query.
    let items: [QueryItem]

    /// Whether the first segment is the label of a host, and so a value.
    let beginsWithLabel: Bool
}
