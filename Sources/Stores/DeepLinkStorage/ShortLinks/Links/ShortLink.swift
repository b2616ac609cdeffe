package import DeepLinkCore

/// A short link as it is stored: a code, and the destination of the catalog that it leads to.
package struct ShortLink: Hashable, Sendable {
    /// The code.
    package let code: ShortLinkCode

    /// The origin of the code.
    package let kind: ShortLinkKind

    /// The name that its maker gave it, which it keeps; `nil` for none.
    package let naming: ShortLinkNaming?

    /// The destination and the rest that may be replaced.
    package let contents: ShortLinkContents

    /// The number of changes, from 1; withdrawing the link is one.
    package let version: Int

    /// The time at which it was made.
    package let createdAt: Timestamp

    /// The author of its making.
    package let author: String

    /// The time of its last change.
    package let updatedAt: Timestamp

    /// Creates a link from its parts.
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

    /// Compares texts by their bytes.
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
    /// The most bytes of a digest.
    package static let maximumTermsByteCount = 32

    /// The name.
    package let name: ShortLinkName

    /// A digest of the terms that the link was asked for, as they were said: a request of the same name and the same terms
    /// makes no second link, and one of other terms is refused.
    package let terms: [UInt8]

    /// Puts a name and a digest together; of the digest, the first ``maximumTermsByteCount`` bytes count.
    package init(name: ShortLinkName, terms: [UInt8]) {
        self.name = name
        self.terms = Array(terms.prefix(Self.maximumTermsByteCount))
    }
}

/// A store's finding about a code.
package enum ShortLinkLookup: Hashable, Sendable {
    /// The link that counts, withdrawn and ended ones included; `nil` within for a code that no link has.
    case current(ShortLink?)

    /// The link that counted once, and may have been changed: the database is out of reach.
    case stale(ShortLink?)

    /// The link; `nil` for a code that no link has.
    package var link: ShortLink? {
        switch self {
        case .current(let link), .stale(let link): link
        }
    }
}
