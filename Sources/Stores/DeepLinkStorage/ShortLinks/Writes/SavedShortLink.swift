/// The result of a store's write of a short link.
package struct SavedShortLink: Hashable, Sendable {
    /// The effect of a write.
    package enum Effect: Hashable, Sendable {
        /// A link was made, or a withdrawn link restored.
        case made

        /// A link was replaced.
        case replaced

        /// The link already had the contents of the write.
        case unchanged

        /// A link with the same name and terms exists already. Nothing was written.
        case known
    }

    /// The link as it is stored now.
    package let link: ShortLink

    /// The effect of the write on the link.
    package let effect: Effect

    /// The link before the write, in the same transaction, or `nil` if the code was free.
    package let former: ShortLink?

    /// The audit log names of the users whom the link is or was about.
    ///
    /// Empty if the write isn't audited or changed nothing.
    package var auditNames: [UserID: AuditName] = [:]

    /// Creates a result.
    package init(link: ShortLink, effect: Effect, former: ShortLink? = nil) {
        self.link = link
        self.effect = effect
        self.former = former
    }

    /// Whether no link had the code before.
    package var isNew: Bool { effect == .made }
}
