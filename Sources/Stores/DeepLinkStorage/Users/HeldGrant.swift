package import DeepLinkCore

/// A grant that a user holds, possibly for a limited time.
package struct HeldGrant: Hashable, Sendable {
    /// The name of the grant.
    package let name: GrantName

    /// The last moment at which the grant counts; `nil` for ever.
    package let validUntil: Timestamp?

    /// Creates a grant with its end.
    package init(_ name: GrantName, validUntil: Timestamp? = nil) {
        self.name = name
        self.validUntil = validUntil
    }

    /// Returns whether the grant counts at a moment: up to its end, that moment included.
    package func isHeld(at time: Timestamp) -> Bool { validUntil.map { time <= $0 } ?? true }
}
