/// The rows of short links that a change needs in the ledger.
package struct ShortLinkNeeds: Sendable {
    /// The codes whose links are needed, those in other letters included, and whether they were erased; of codes that
    /// weren't drawn, also those that the server would have drawn for them.
    package var codes: [ShortLinkCode] = []

    /// Those of ``codes`` that were not drawn by chance.
    package var givenCodes: [ShortLinkCode] = []

    /// The names whose links are needed.
    package var names: [ShortLinkName] = []

    /// The labels of which it is to be known whether they are in use.
    package var labels: [ShortLinkLabel] = []

    /// The quotas for which links are counted.
    package var quotas: [ShortLinkQuota] = []

    /// The users about whom all links are needed, since they are erased.
    package var erasures: [UserID] = []

    /// Whether nothing is needed.
    package var isEmpty: Bool { codes.isEmpty && names.isEmpty && erasures.isEmpty }

    /// Creates the needs of a change.
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
