package import DeepLinkCore

/// The part of a short link that its maker may replace.
package struct ShortLinkContents: Hashable, Sendable {
    /// The host of the link that is printed, in lower case; `nil` for the first of the catalog.
    package let host: String?

    /// The destination.
    package let target: ShortLinkTarget

    /// The word by which the link is listed and counted; `nil` for none.
    package let label: ShortLinkLabel?

    /// The last moment at which the link leads anywhere; `nil` for no end.
    package let expires: Timestamp?

    /// The user whom the link concerns, and with whom it is erased; `nil` for none.
    package let about: UserID?

    /// The signature that the code stands for; `nil` where the target needs none.
    package let signature: ShortLinkSignature?

    /// Whether the link was withdrawn: its code leads nowhere, and stays taken.
    package let isWithdrawn: Bool

    /// Creates contents from their parts.
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

    /// Returns the contents of a link that is withdrawn, or no longer.
    package func having(isWithdrawn: Bool) -> ShortLinkContents {
        ShortLinkContents(
            host: host,
            target: target,
            label: label,
            expires: expires,
            about: about,
            signature: signature,
            isWithdrawn: isWithdrawn
        )
    }

    /// The latest end of what is made from the link: its own, or the one of its signature; `nil` for none.
    package var latestEnd: Timestamp? { [expires, signature?.end].compactMap(\.self).min() }

    /// Returns whether the link has ended at a moment; its end itself still counts.
    package func hasExpired(at time: Timestamp) -> Bool { expires.map { $0 < time } ?? false }

    /// Compares texts by their bytes.
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

/// The signature that a short link's code stands for, since its target needs one.
package struct ShortLinkSignature: Hashable, Sendable {
    /// The end of the signature, which the link never outlives; `nil` for none.
    package let end: Timestamp?

    /// Creates a signature that ends at a moment; `nil` for one without an end.
    package init(end: Timestamp?) {
        self.end = end
    }
}
