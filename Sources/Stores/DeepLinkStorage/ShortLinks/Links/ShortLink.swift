package import DeepLinkCore

/// A stored short link: a code and its destination in the catalog.
package struct ShortLink: Hashable, Sendable {
    /// The code by which the link is found, which never changes.
    package let code: ShortLinkCode

    /// The origin of the code.
    package let kind: ShortLinkKind

    /// The name given by its maker, which does not change, or `nil` if there is none.
    package let naming: ShortLinkNaming?

    /// The destination and the other replaceable parts.
    package let contents: ShortLinkContents

    /// The number of changes, from 1.
    ///
    /// Withdrawing the link is a change.
    package let version: Int

    /// The time at which it was made.
    package let createdAt: Timestamp

    /// The author of the first version.
    package let author: String

    /// The time of its last change.
    package let updatedAt: Timestamp

    /// Creates a link.
    package init(
        code: ShortLinkCode,
        kind: ShortLinkKind,
        naming: ShortLinkNaming?,
        contents: ShortLinkContents,
        version: Int,
        createdAt: Timestamp,
        author: String,
        updatedAt: Timestamp
    ) {
        self.code = code
        self.kind = kind
        self.naming = naming
        self.contents = contents
        self.version = version
        self.createdAt = createdAt
        self.author = author
        self.updatedAt = updatedAt
    }
    package static func == (left: ShortLink, right: ShortLink) -> Bool {
        left.code == right.code && left.kind == right.kind && left.naming == right.naming
            && left.contents == right.contents && left.version == right.version && left.createdAt == right.createdAt
            && left.author.bytewise == right.author.bytewise && left.updatedAt == right.updatedAt
    }

    /// Hashes the code and the version.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(version)
    }
}

/// The name of a short link, with a digest of the request that made it.
package struct ShortLinkNaming: Hashable, Sendable {
    /// The maximum length of a digest, in bytes.
    package static let maximumTermsByteCount = 32

    /// The name, unique among the links of a store.
    package let name: ShortLinkName

    /// A digest of the terms in the request, as they were written.
    ///
    /// A request with the same name and terms makes no second link, and a request with the same name and other terms is
    /// refused.
    package let terms: [UInt8]

    /// Creates a naming.
    ///
    /// Only the first ``maximumTermsByteCount`` bytes of the digest are used.
    package init(name: ShortLinkName, terms: [UInt8]) {
        self.name = name
        self.terms = Array(terms.prefix(Self.maximumTermsByteCount))
    }
}

/// The result of looking up a code in a store.
package enum ShortLinkLookupResult: Hashable, Sendable {
    /// The current link, including withdrawn and expired ones. The inner value is `nil` if no link has the code.
    case current(ShortLink?)

    /// A cached link that may have changed since, because the database is unreachable.
    case stale(ShortLink?)

    /// The link, or `nil` if no link has the code.
    package var link: ShortLink? {
        switch self {
        case .current(let link), .stale(let link): link
        }
    }
}
