/// The result of a store's write of a short link.
package struct SavedShortLink: Hashable, Sendable {
    /// The effect of a write.
    package enum Effect: Hashable, Sendable {
        /// A link was made, or a withdrawn one restored.
        case made

        /// A link was replaced.
        case replaced

        /// The link was as the write says already.
        case unchanged

        /// A link of that name was made on the same terms before; nothing was written.
        case known
    }

    /// The link as it is stored now.
    package let link: ShortLink

    /// The effect.
    package let effect: Effect

    /// The link as it was before the write, in the same transaction; `nil` for a code that was free.
    package let former: ShortLink?

    /// The names in the audit log of the users whom the link is about, or was; empty if the write isn't audited, or changed
    /// nothing.
    package var auditNames: [UserID: AuditName] = [:]

    /// Creates a report from its parts.
    package init(link: ShortLink, effect: Effect, former: ShortLink? = nil) {
        self.link = link
        self.effect = effect
        self.former = former
    }

    /// Whether no link had the code before.
    package var isNew: Bool { effect == .made }
}
