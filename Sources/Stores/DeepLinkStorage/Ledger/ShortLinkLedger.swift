import DeepLinkCore

/// The short links that a transaction has read, and the outcomes of its changes in sequence.
///
/// It alone defines which code is taken, what a repeated name returns, and what remains after an erasure. For each
/// change, a store reads the rows that ``RequiredShortLinkRows`` lists, and writes the contents of `changed` and
/// `erased`.
package struct ShortLinkLedger: Sendable {
    /// The reason why a link was not changed.
    package enum Refusal: Error {
        /// The random code is taken, and another one is needed.
        case collision

        /// The request is refused.
        case refused(ShortLinkWriteError)
    }

    /// The links, by code.
    package private(set) var records: [ShortLinkCode: ShortLinkRecord] = [:]

    /// The erased links, including links that were never stored.
    package private(set) var erased: [ShortLinkRecord] = []

    /// The labels in use by the store or by links of the ledger.
    private var labels: Set<ShortLinkLabel> = []

    /// The number of labels in use.
    ///
    /// It is read only if a change has a label that is not in use.
    package var labelCount = 0

    private var codesByFolded: [ShortLinkCode: [ShortLinkCode]] = [:]
    private var codesByName: [ShortLinkName: ShortLinkCode] = [:]

    /// Erased codes, folded.
    private var erasedCodes: Set<ShortLinkCode> = []

    /// The number of links about each user with a quota.
    private var madeCounts: [UserID: Int] = [:]

    /// Creates an empty ledger.
    package init() {}

    /// The codes of the new links, in the order of the changes.
    private var madeCodes: [ShortLinkCode] = []

    /// The links that are not stored yet, in the order of their creation.
    package var made: [ShortLinkRecord] { madeCodes.compactMap { records[$0] } }

    /// The stored links that differ from what is stored.
    package var replaced: [ShortLinkRecord] { records.values.filter { $0.stored != nil && $0.isChanged } }

    /// The stored codes with totals to delete: the codes of erased links, and of links that are now about a user.
    package var uncounted: [ShortLinkCode] {
        erased.filter { $0.stored != nil }.map(\.code)
            + replaced.filter { $0.stored?.contents.about == nil && $0.link?.contents.about != nil }.map(\.code)
    }

    // MARK: Reading

    /// Adds a stored link to the ledger, unless the ledger has it.
    package mutating func read(_ link: ShortLink) {
        if records[link.code] == nil { put(ShortLinkRecord(link)) }
    }

    /// Records that a code was erased, in any spelling.
    package mutating func readErased(_ code: ShortLinkCode) { erasedCodes.insert(code.folded) }

    /// Adds a label that is in use.
    package mutating func read(_ label: ShortLinkLabel) { labels.insert(label) }

    /// Adds the number of links about a user that a quota counts.
    package mutating func readCount(_ count: Int, of user: UserID) { madeCounts[user] = count }

    /// Returns the link of a code, with the lookup order of stores: as written, without case, and as the server spells
    /// codes.
    package func link(for code: ShortLinkCode) -> ShortLink? {
        if let link = records[code]?.link { return link }
        let others = [code.folded, code.spelledByServer].flatMap { codesByFolded[$0] ?? [] }
        return others.lazy.compactMap { records[$0]?.link }.first { $0.kind.finds($0.code, as: code) }
    }

    /// Returns the user whom the stored link of a code is about, or `nil` if there is none.
    package func user(of code: ShortLinkCode) -> UserID? { records[code]?.link?.contents.about }

    /// Returns the link with a name.
    package func link(named name: ShortLinkName) -> ShortLink? { codesByName[name].flatMap { records[$0]?.link } }

    private mutating func put(_ record: ShortLinkRecord) {
        if records.updateValue(record, forKey: record.code) == nil {
            codesByFolded[record.code.folded, default: []].append(record.code)
        }
        if let name = record.naming?.name { codesByName[name] = record.code }
        if let label = record.link?.contents.label { labels.insert(label) }
    }

    // MARK: Changes

    /// Makes or replaces a link.
    ///
    /// - Throws: ``Refusal``. Nothing was changed then.
    mutating func save(_ draft: ShortLinkDraft, at time: Timestamp) throws(Refusal) -> ShortLinkWriteResult {
        let write = draft.write
        if let naming = write.naming, let link = link(named: naming.name) {
            guard link.naming == naming else { throw .refused(.nameTaken(by: link)) }
            return ShortLinkWriteResult(link: link, effect: .known)
        }
        guard let record = records[draft.code] else { return try make(draft, at: time) }
        guard !draft.isRandom else { throw .collision }
        return try replace(record, by: write, at: time)
    }

    private mutating func make(_ draft: ShortLinkDraft, at time: Timestamp) throws(Refusal) -> ShortLinkWriteResult {
        let write = draft.write
        if let taken = taken(draft) {
            throw draft.isRandom ? .collision : .refused(.codeTaken(by: taken.link))
        }
        guard write.terms.precondition.holds(for: nil) else { throw .refused(.versionMismatch(current: nil)) }
        if let quota = write.quota {
            guard madeCounts[quota.user, default: 0] < quota.maximumCount else { throw .refused(.tooManyLinks) }
        }
        try admit(write.contents.label)
        var record = ShortLinkRecord(draft, at: time)
        let contents = write.contents.having(isWithdrawn: write.withdrawal == .withdrawn)
        record.set(contents, at: time, by: write.terms.author)
        put(record)
        madeCodes.append(draft.code)
        if let user = contents.about { madeCounts[user, default: 0] += 1 }
        return try saved(record, effect: .made)
    }

    private mutating func replace(
        _ former: ShortLinkRecord,
        by write: ShortLinkWrite,
        at time: Timestamp
    ) throws(Refusal) -> ShortLinkWriteResult {
        var record = former
        let wasVisible = record.visibleVersion != nil
        guard wasVisible || write.withdrawal != .unspecified else { throw .refused(.codeTaken(by: record.link)) }
        guard write.terms.precondition.holds(for: record.visibleVersion) else {
            throw .refused(.versionMismatch(current: record.visibleVersion))
        }
        if let naming = write.naming {
            if record.naming != nil, let link = record.link { throw .refused(.nameTaken(by: link)) }
            record.name(naming)
        }
        try admit(write.contents.label)
        let contents = write.contents.having(isWithdrawn: write.withdrawal == .withdrawn)
        record.set(contents, at: time, by: write.terms.author)
        let isUnchanged = record.link == former.link
        put(record)
        let isBack = !wasVisible && !contents.isWithdrawn
        return try saved(record, effect: isUnchanged ? .unchanged : isBack ? .made : .replaced, former: former.link)
    }

    /// Withdraws a link.
    ///
    /// - Returns: The withdrawn link, or `nil` if there is none or it was withdrawn before.
    mutating func withdraw(_ removal: ShortLinkRemoval, at time: Timestamp) throws(ShortLinkWriteError)
        -> ShortLinkWriteResult?
    {
        let former = records[removal.code]
        guard removal.terms.precondition.holds(for: former?.visibleVersion) else {
            throw .versionMismatch(current: former?.visibleVersion)
        }
        guard var record = former, record.visibleVersion != nil, let working = record.link else { return nil }
        record.set(working.contents.having(isWithdrawn: true), at: time, by: removal.terms.author)
        put(record)
        return record.link.map { ShortLinkWriteResult(link: $0, effect: .replaced, former: working) }
    }

    /// Erases the links about a user.
    ///
    /// Their codes stay taken.
    ///
    /// - Returns: Whether there were any.
    mutating func erase(about user: UserID) -> Bool {
        let gone = records.values.filter { $0.link?.contents.about == user }
        for record in gone {
            records[record.code] = nil
            codesByFolded[record.code.folded]?.removeAll { $0 == record.code }
            if let name = record.naming?.name { codesByName[name] = nil }
            erasedCodes.insert(record.code.folded)
        }
        erased += gone
        return !gone.isEmpty
    }

    // MARK: Rules

    /// Returns the link that takes a new code, or `nil` if the code is free.
    ///
    /// The inner link is `nil` for an erased code.
    private func taken(_ draft: ShortLinkDraft) -> (link: ShortLink?, isErased: Bool)? {
        let folded = draft.code.folded
        if erasedCodes.contains(folded) { return (nil, true) }
        let links = (codesByFolded[folded] ?? []).compactMap { records[$0]?.link }
        // Imported codes may differ only in case. They do not take the code of a link that is found without case.
        if let link = links.first(where: { draft.kind != .imported || $0.kind != .imported }) { return (link, false) }
        guard !draft.isRandom else { return nil }
        // A random code also matches other spellings, which must not open another link.
        let spelled = draft.code.spelledByServer
        if spelled != folded, erasedCodes.contains(spelled) { return (nil, true) }
        guard let drawn = records[spelled]?.link, drawn.kind.finds(drawn.code, as: draft.code) else { return nil }
        return (drawn, false)
    }

    /// Checks that a label is in use or can be added.
    private mutating func admit(_ label: ShortLinkLabel?) throws(Refusal) {
        guard let label, !labels.contains(label) else { return }
        guard labelCount < ShortLinkLabel.maximumCount else { throw .refused(.tooManyLabels) }
        labels.insert(label)
        labelCount += 1
    }

    private func saved(
        _ record: ShortLinkRecord,
        effect: ShortLinkWriteResult.Effect,
        former: ShortLink? = nil
    ) throws(Refusal) -> ShortLinkWriteResult {
        guard let link = record.link else { throw .collision }
        return ShortLinkWriteResult(link: link, effect: effect, former: former)
    }
}
