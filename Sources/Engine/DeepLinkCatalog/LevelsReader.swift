import DeepLinkCore

/// The reader of `levels`: the names of a catalog's own levels, lowest first, and their former names.
struct LevelsReader {
    let log: IssueLog

    /// Reads the list, reporting and omitting unreadable levels.
    func read(_ node: YAMLNode) -> LevelLadder {
        let hint = "Write a list of names, the lowest first: `levels: [guest, member]`."
        guard let items = log.items(of: node, subject: "`levels`", hint: hint) else { return incomplete() }
        guard LevelLadder.counts.contains(items.count) else {
            log.report(
                .invalidValue,
                at: node.mark,
                message: "`levels` has \(items.count == 1 ? "1 name" : "\(items.count) names").",
                hint: "Name \(LevelLadder.counts.lowerBound) to \(LevelLadder.counts.upperBound) levels, the lowest "
                    + "first; leave `levels` out for \(LevelLadder.standard.list())."
            )
            return incomplete()
        }
        let reader = NamesReader(
            noun: "level",
            example: "{ name: member, was: customer }",
            duplicate: .duplicateLevel,
            log: log
        )
        let levels = reader.read(items)
        let known = levels.compactMap { $0 }
        let names = known.compactMap { LevelName($0.name.value) }
        guard known.count == levels.count else { return incomplete(names) }
        return LevelLadder(
            names,
            formerNames: known.enumerated()
                .flatMap { rank, level in
                    level.formerNames.compactMap { former in
                        LevelName(former.value).map { ($0, AuthorizationLevel(rank: UInt8(rank))) }
                    }
                },
            highestFromApp: highestFromApp(known)
        )
    }

    /// Returns the highest level that the app asserts.
    ///
    /// Reports a level from the app above one that is not from the app.
    private func highestFromApp(_ levels: [NamesReader.Item]) -> AuthorizationLevel {
        if let location = levels.first?.fromApp, let name = levels.first?.name.value {
            log.report(
                .invalidValue,
                at: location,
                message: "The level `\(name)` is `from: app`, and is everyone's.",
                hint: "Remove `from` from the first level."
            )
        }
        let count = levels.dropFirst().prefix { $0.fromApp != nil }.count
        for level in levels.dropFirst(1 + count) {
            guard let location = level.fromApp else { continue }
            log.report(
                .invalidValue,
                at: location,
                message: "The level `\(level.name.value)` is `from: app`, and `\(levels[1 + count].name.value)` "
                    + "below isn't.",
                hint: "An app asserts a level only if it asserts each below it but the first."
            )
        }
        return AuthorizationLevel(rank: UInt8(count))
    }

    /// Returns a ladder in place of one that cannot be read, and suppresses the issues that would follow from it.
    private func incomplete(_ names: [LevelName] = []) -> LevelLadder {
        log.holdBack(.unknownLevel, .missingGate, .gateTooHigh, .gateOrder)
        return names.count < LevelLadder.counts.lowerBound
            ? LevelLadder(LevelLadder.standard.names) : LevelLadder(names)
    }
}
