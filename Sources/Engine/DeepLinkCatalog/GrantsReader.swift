import DeepLinkCore

/// The reader of `grants`: the names of a catalog's grants, and their former names.
struct GrantsReader {
    /// The levels of the catalog, because a grant cannot have the name of a level.
    let levels: LevelLadder

    let log: IssueLog

    /// Reads the list, reporting and omitting unreadable grants.
    func read(_ node: YAMLNode) -> GrantList {
        guard let items = node.items else {
            log.report(
                .wrongType,
                at: node.mark,
                message: "`grants` is \(node.kindInWords).",
                hint: "Write a list of names: `grants: [kyc, pro]`."
            )
            return incomplete()
        }
        guard (1...GrantList.maximumCount).contains(items.count) else {
            log.report(
                .invalidValue,
                at: node.mark,
                message: items.isEmpty ? "`grants` is empty." : "`grants` has \(items.count) names.",
                hint: "Name 1 to \(GrantList.maximumCount) grants; leave `grants` out for none."
            )
            return incomplete()
        }
        let reader = NamesReader(
            noun: "grant",
            example: "{ name: unlocked, from: app }",
            duplicate: .duplicateGrant,
            log: log
        )
        var taken: [ByteText: String] = [:]
        for name in levels.names + levels.formerNames.map(\.name) { taken[name.text.bytewise] = "level" }
        let grants = reader.read(items, seen: taken)
        let known = grants.compactMap(\.self)
        if known.count < grants.count { holdBack() }
        let places = known.indices.map { Grant(place: UInt8($0)) }
        return GrantList(
            known.compactMap { GrantName($0.name.value) },
            formerNames: zip(known, places)
                .flatMap { item, grant in
                    item.formerNames.compactMap { former in GrantName(former.value).map { ($0, grant) } }
                },
            fromApp: GrantSet(zip(known, places).filter { $0.0.fromApp != nil }.map { GrantSet($0.1) })
        )
    }

    /// Returns an empty list in place of one that cannot be read.
    private func incomplete() -> GrantList {
        holdBack()
        return .none
    }

    /// Holds back the issues that follow from an unreadable grant.
    private func holdBack() { log.holdBack(.unknownGrant, .grantWithoutGate, .gateTooHigh) }
}
