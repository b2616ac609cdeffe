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

/// The part of a short link that its maker may replace.
package struct ShortLinkContents: Hashable, Sendable {
    /// The host of the printed link in lower case, or `nil` for the first host of the catalog.
    package let host: String?

    /// The destination.
    package let target: ShortLinkTarget

    /// The label that groups the link in lists and counts, or `nil` if there is none.
    package let label: ShortLinkLabel?

    /// The last time at which the link resolves, or `nil` if it does not expire.
    package let expires: Timestamp?

    /// The user whom the link concerns, and with whom it is erased, or `nil` if there is none.
    package let about: UserID?

    /// The signature that the code replaces, or `nil` if the target needs none.
    package let signature: ShortLinkSignature?

    /// Whether the link was withdrawn.
    ///
    /// Its code no longer resolves, and stays taken.
    package private(set) var isWithdrawn: Bool

    /// Creates contents.
    package init(
        host: String? = nil,
        target: ShortLinkTarget,
        label: ShortLinkLabel? = nil,
        expires: Timestamp? = nil,
        about: UserID? = nil,
        signature: ShortLinkSignature? = nil,
        isWithdrawn: Bool = false
    ) {
        self.host = host
        self.target = target
        self.label = label
        self.expires = expires
        self.about = about
        self.signature = signature
        self.isWithdrawn = isWithdrawn
    }

    /// Returns the contents with another withdrawal state.
    package func having(isWithdrawn: Bool) -> ShortLinkContents {
        var contents = self
        contents.isWithdrawn = isWithdrawn
        return contents
    }

    /// The latest end of a link made from this one: the earlier of its own end and the end of its signature, or `nil`
    /// if there is neither.
    package var latestEnd: Timestamp? { [expires, signature?.end].compactMap(\.self).min() }

    /// Returns whether the link has expired at a time.
    ///
    /// At its end itself it has not.
    package func hasExpired(at time: Timestamp) -> Bool { expires.map { $0 < time } ?? false }
    package static func == (left: ShortLinkContents, right: ShortLinkContents) -> Bool {
        left.target == right.target && left.label == right.label && left.expires == right.expires
            && left.about == right.about && left.signature == right.signature
            && left.isWithdrawn == right.isWithdrawn && left.host?.bytewise == right.host?.bytewise
    }

    /// Hashes texts by their bytes.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(target)
        hasher.combine(label)
        hasher.combine(expires)
        hasher.combine(about)
        hasher.combine(signature)
        hasher.combine(isWithdrawn)
        hasher.combine(host?.bytewise)
    }
}

/// The signature that a short link's code replaces, because its target needs one.
package struct ShortLinkSignature: Hashable, Sendable {
    /// The end of the signature, which the link never outlives, or `nil` if there is none.
    package let end: Timestamp?

    /// Creates a signature with an end, or without one if `end` is `nil`.
    package init(end: Timestamp?) {
        self.end = end
    }

    /// Creates a signature from its column, where the highest number means that it has no end.
    package init(stored end: Int64) {
        self.init(end: end == .max ? nil : Timestamp(millisecondsSinceEpoch: end))
    }

    /// The value of the column.
    package var stored: Int64 { end?.millisecondsSinceEpoch ?? .max }
}
