import DeepLinkCore

/// The reader of `levels`: the names of a catalog's own levels, the lowest first, and their former names.
struct LevelsReader {
    let log: IssueLog

    /// Reads the list; unreadable levels are reported and omitted.
    func read(_ node: YAMLNode) -> LevelLadder {
        guard let items = node.items else {
            log.report(
                .wrongType,
                at: node.mark,
                message: "`levels` is \(node.kindInWords).",
                hint: "Write a list of names, the lowest first: `levels: [guest, member]`."
            )
            return incomplete()
        }
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
        var names: [LevelName] = []
        var formerNames: [(name: LevelName, level: AuthorizationLevel)] = []
        var seen: Set<LevelName> = []
        var isComplete = true
        for item in items {
            let level = AuthorizationLevel(rank: UInt8(names.count))
            let reader = item.pairs.map { _ in
                MappingReader(item, subject: "a level", keys: ["name", "was"], log: log)
            }
            guard let name = reader.map({ name($0, at: item.mark) }) ?? self.name(item), isNew(name, in: &seen) else {
                isComplete = false
                continue
            }
            names.append(name.value)
            for former in reader.map(formerNames(of:)) ?? [] where isNew(former, in: &seen) {
                formerNames.append((former.value, level))
            }
        }
        return isComplete ? LevelLadder(names, formerNames: formerNames) : incomplete(names)
    }

    /// Returns a ladder in place of one that cannot be read; what follows from that is not reported.
    private func incomplete(_ names: [LevelName] = []) -> LevelLadder {
        log.holdBack(.unknownLevel, .missingGate, .gateTooHigh, .gateOrder)
        return names.count < LevelLadder.counts.lowerBound
            ? LevelLadder(LevelLadder.standard.names) : LevelLadder(names)
    }

    private func name(_ reader: MappingReader, at mark: YAMLMark) -> Located<LevelName>? {
        if let node = reader["name"] { return name(node) }
        log.report(
            .missingKey,
            at: mark,
            message: "A level has no `name`.",
            hint: "Write `{ name: member, was: customer }`."
        )
        return nil
    }

    private func formerNames(of reader: MappingReader) -> [Located<LevelName>] {
        guard let node = reader["was"] else { return [] }
        return (node.items ?? [node]).compactMap(name)
    }

    private func name(_ node: YAMLNode) -> Located<LevelName>? {
        guard let text = node.text, !node.isNull else {
            log.report(
                .wrongType,
                at: node.mark,
                message: "The name of a level is \(node.kindInWords).",
                hint: "Write a name, or `{ name: member, was: customer }`."
            )
            return nil
        }
        if let name = LevelName(text) { return Located(name, at: log.location(node.mark)) }
        log.report(
            .invalidValue,
            at: node.mark,
            message: text.isEmpty ? "The name of a level is empty." : "`\(text)` isn't the name of a level.",
            hint: "A name is \(LevelName.form)."
        )
        return nil
    }

    private func isNew(_ name: Located<LevelName>, in seen: inout Set<LevelName>) -> Bool {
        if seen.insert(name.value).inserted { return true }
        log.report(
            .duplicateLevel,
            at: name.location,
            message: "There is a second level `\(name.value.text)`.",
            hint: "Every level has a name of its own, and no other has it as its former name (`was`)."
        )
        return false
    }
}
