/// The rows of short links that a change needs in the ledger.
package struct ShortLinkNeeds: Sendable {
    /// The codes to read, in any case, with their links and erasures.
    ///
    /// For codes that aren't random, this includes the spelling that the server would have generated.
    package var codes: [ShortLinkCode] = []

    /// The members of ``codes`` that are not random.
    package var givenCodes: [ShortLinkCode] = []

    /// The names to read, with their links.
    package var names: [ShortLinkName] = []

    /// The labels for which the ledger must know whether they are in use.
    package var labels: [ShortLinkLabel] = []

    /// The quotas for which links are counted.
    package var quotas: [ShortLinkQuota] = []

    /// The users to erase, about whom all links are needed.
    package var erasures: [UserID] = []

    /// Whether no rows are needed.
    package var isEmpty: Bool { codes.isEmpty && names.isEmpty && erasures.isEmpty }

    /// Returns the rows that a change needs.
    package init(_ change: StoreChange) {
        switch change {
        case .saveLinks(let drafts):
            for draft in drafts {
                codes.append(draft.code)
                if !draft.isDrawn {
                    givenCodes.append(draft.code)
                    let spelled = draft.code.spelledByServer
                    if spelled != draft.code.folded { codes.append(spelled) }
                }
                if let name = draft.write.naming?.name { names.append(name) }
                if let label = draft.write.contents.label { labels.append(label) }
                if let quota = draft.write.quota { quotas.append(quota) }
            }
        case .withdrawLink(let removal): codes = [removal.code]
        case .remove(let removal) where removal.isErasure: erasures = [removal.id]
        default: break
        }
    }
}
