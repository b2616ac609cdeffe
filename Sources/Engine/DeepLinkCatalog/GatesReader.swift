import DeepLinkCore

/// The reader of `gates`: the links that give levels and grants, some with a presentation over the app's current
/// screens.
struct GatesReader {
    /// The keys of a gate that is a mapping.
    static let keys = ["link", "over"]

    let levels: LevelLadder
    let grants: GrantList
    let log: IssueLog

    /// Whether the catalog declares names, so that the order of the gates counts.
    var isOrdered: Bool { levels.isDeclared || !grants.isEmpty }

    /// The gates of a catalog's files up to a place.
    struct Predecessors {
        /// The highest level that a gate gives.
        fileprivate var highest = AuthorizationLevel.lowest

        /// The gates, by the level or the grant that they give.
        fileprivate var places: [Attainment: SourceLocation] = [:]
    }

    /// Reads the gates of levels above the lowest and of grants, by their present or former names, in their order.
    ///
    /// The gates are added to their predecessors: the gates of the files before this one.
    func read(_ node: YAMLNode, after predecessors: inout Predecessors) -> [GateDefinition] {
        let former = levels.formerNames.filter { $0.level > .lowest }.map { $0.name.text }
        var keys = levels.gated.map(levels.text(of:)) + former
        keys += grants.names.map { $0.text } + grants.formerNames.map { $0.name.text }
        // A name may be one that could not be read.
        let isReadable = !log.heldBack.contains(.unknownGrant)
        let unread = isReadable ? [] : (node.pairs ?? []).map { $0.key }.filter { levels.level(named: $0) != .lowest }
        let reader = MappingReader(node, subject: "`gates`", keys: keys + unread, log: log)
        let gates = (isOrdered ? node.pairs?.map { $0.key } ?? [] : keys)
            .compactMap { key -> GateDefinition? in
                attainment(key).flatMap { gate(giving: $0, under: key, reader) }
            }
        check(node.pairs ?? [], after: &predecessors)
        return gates
    }

    /// Returns the level or the grant that a key names, or `nil` for the lowest level and for unknown names.
    private func attainment(_ key: String) -> Attainment? {
        if let level = levels.level(named: key) { return level > .lowest ? .level(level) : nil }
        return grants.grant(named: key).map { .grant($0) }
    }

    /// Reads the gate of a key: a path, or a mapping with the path and a presentation over the app's current screens.
    private func gate(giving attainment: Attainment, under key: String, _ reader: MappingReader) -> GateDefinition? {
        guard let node = reader[key], node.pairs != nil else {
            return reader.locatedString(key).map { GateDefinition(gives: attainment, path: $0) }
        }
        let gate = MappingReader(node, subject: "the gate of `\(key)`", keys: Self.keys, log: log)
        gate.require("link", hint: "Write `{ link: /path, over: fullScreenCover }`, or the path alone.")
        let over = gate.locatedString("over").flatMap(presentation)
        return gate.locatedString("link").map { GateDefinition(gives: attainment, path: $0, over: over) }
    }

    /// Returns a presentation that works over any screen.
    ///
    /// Any other presentation is reported.
    private func presentation(_ name: Located<String>) -> Located<Presentation>? {
        let presentation = Presentation(name: name.value)
        if let presentation, presentation.isLayer { return Located(presentation, at: name.location) }
        let names = Presentation.layerNames
        let all = "Write one of \(names.joined(separator: ", "))."
        log.report(
            .invalidValue,
            at: name.location,
            message: presentation == nil
                ? "`\(name.value)` isn't a presentation."
                : "No gate is presented as `\(name.value)` over any screen.",
            hint: presentation == nil ? SpellingSuggestion.hint(for: name.value, among: names, otherwise: all) : all
        )
        return nil
    }

    /// Reports gates of levels that are not in the order of the ladder, and two gates for one level or grant.
    private func check(_ pairs: [YAMLPair], after predecessors: inout Predecessors) {
        for pair in pairs {
            guard let attainment = attainment(pair.key) else { continue }
            let place = log.location(pair.mark)
            if let other = predecessors.places[attainment] {
                reportDuplicate(of: attainment, at: place, other: other)
                continue
            }
            predecessors.places[attainment] = place
            guard isOrdered, let level = attainment.level else { continue }
            if level < predecessors.highest {
                let last = levels.text(of: predecessors.highest)
                log.report(
                    .gateOrder,
                    at: pair.mark,
                    message: "The gate of `\(pair.key)` follows that of `\(last)`, a higher level.",
                    hint: "Write the gates of levels in the order of the ladder, the lowest first: "
                        + "\(levels.list())."
                )
            }
            predecessors.highest = max(predecessors.highest, level)
        }
    }

    private func reportDuplicate(of attainment: Attainment, at place: SourceLocation, other: SourceLocation) {
        let name = attainment.text(in: levels, grants)
        guard place.file.bytewise == other.file.bytewise else {
            return log.reportDuplicate(.duplicateGate, of: "The gate of `\(name)`", at: place, other: other)
        }
        log.report(
            .duplicateKey,
            at: place,
            message: "`gates` has a second gate of `\(name)`.",
            hint: "Remove the one with the former name."
        )
    }
}
