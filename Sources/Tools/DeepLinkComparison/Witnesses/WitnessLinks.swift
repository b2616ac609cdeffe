import DeepLinkCore

/// The links that show a catalog's behavior: links for each edge, each bound of a parameter, each alias, and each
/// origin and host.
struct WitnessLinks {
    /// The links of edges, and the number of untried links.
    struct Outcome {
        /// The links, grouped by edge.
        var witnesses: [Witness] = []

        /// The number of links that were not made, or not found, because there were too many to try.
        var untriedCount = 0
    }

    /// The maximum number of links of one edge, not counting the words of enumerations.
    private static let maximumCount = 256

    /// The maximum number of edges after an edge without a segment over which links are made.
    private static let maximumPassingCount = 16

    /// The maximum number of links of one origin and host.
    private static let originCount = 3

    private let catalog: RouteCatalog
    private let origins: WitnessOrigins

    /// The ways from `entry`, and, if a host can be the first segment, the ways on which it is.
    private let waysByOpening: [PathsFromEntry]

    private let interruption: Interruption

    /// Prepares the links of a catalog under the given origins.
    init(_ catalog: RouteCatalog, under origins: WitnessOrigins, interruption: Interruption) {
        self.catalog = catalog
        self.origins = origins
        self.interruption = interruption
        waysByOpening =
            [PathsFromEntry(catalog)]
            + (origins.haveHostSegments ? [PathsFromEntry(catalog, openedBy: origins.opens)] : [])
    }

    /// Returns the witnesses of the edges that links can take.
    ///
    /// Each witness resolves and takes its edge.
    ///
    /// - Parameters:
    ///   - beside: the same edge in the other catalog. Its bounds are tried too.
    ///   - name: the name of an edge in reports.
    /// - Returns: the witnesses, and the number of links that were not tried.
    /// - Throws: `Interruption.Stop`.
    /// - Complexity: linear in the edges, their aliases and the bounds of their parameters, times a resolution.
    func edges(
        beside: (Int) -> Edge?,
        name: (Int) -> ByteText
    ) throws(Interruption.Stop) -> Outcome {
        var outcome = Outcome()
        for index in catalog.edges.indices where catalog.edges[index].isLinkable {
            try interruption.check()
            let ways = ways(to: index)
            var known: Set<DeepLink> = []
            for draft in WitnessDraft.all(of: catalog.edges[index], beside: beside(index)) {
                try interruption.check()
                guard known.count < Self.maximumCount || draft.isWord else {
                    outcome.untriedCount += 1
                    continue
                }
                let proofs = proofs(of: draft, over: index, name(index), by: ways.ways)
                let isComplete = proofs.isComplete && (!proofs.witnesses.isEmpty || !ways.isCut)
                if !isComplete, !draft.trait.isUnfit { outcome.untriedCount += 1 }
                outcome.witnesses += proofs.witnesses.filter { known.insert($0.link).inserted }
            }
            // An edge without a segment is only shown by links that continue after it.
            if beside(index) == nil, catalog.edges[index].canTakeNoSegment {
                let passing = try passing(index, name: name(index), by: ways.ways)
                outcome.witnesses += passing.filter { known.insert($0.link).inserted }
            }
        }
        return outcome
    }

    /// Returns links over an edge that continue over one more edge.
    ///
    /// - Complexity: bounded by ``maximumPassingCount`` edges, with the drafts of each.
    private func passing(
        _ edge: Int,
        name: ByteText,
        by ways: [[PathsFromEntry.Step]]
    ) throws(Interruption.Stop) -> [Witness] {
        var witnesses: [Witness] = []
        let opens = catalog.routes[catalog.edges[edge].child].opens
        for next in opens.prefix(Self.maximumPassingCount) where catalog.edges[next].isLinkable {
            for draft in WitnessDraft.all(of: catalog.edges[next], beside: nil) where !draft.trait.isUnfit {
                try interruption.check()
                for way in ways {
                    guard let path = path(way + [PathsFromEntry.Step(edge: edge)], draft: draft, over: next) else {
                        continue
                    }
                    let found = origins.ordinary(path).lazy
                        .compactMap { proven(path, under: $0, draft: draft, over: edge, name: name, isPrinted: false) }
                    if let witness = found.first { witnesses.append(witness) }
                }
            }
        }
        return witnesses
    }

    private func ways(to edge: Int) -> (ways: [[PathsFromEntry.Step]], isCut: Bool) {
        let ways = waysByOpening.map { $0.ways(to: edge) }
        return (ways.flatMap(\.ways), ways.contains(where: \.isCut))
    }

    // MARK: Origins

    /// Returns the witnesses of the origins: some links that resolve, for each scheme and host.
    func ofOrigins() throws(Interruption.Stop) -> [Witness] {
        let paths = try plainPaths()
        let openings = WitnessOpenings(catalog) { self.path($0, of: $1) }
        var witnesses: [Witness] = []
        for origin in catalog.origins {
            for prefix in OriginPrefix.all(of: origin) {
                try interruption.check()
                let paths = prefix.isHostSegment ? openings.paths(under: prefix) : paths
                for path in paths.prefix(Self.originCount) {
                    guard let text = prefix.link(path),
                        let link = try? DeepLink(text, rootless: catalog.rootlessSchemes),
                        case .plan = resolve(ResolutionRequest(link: link), permissions: .all, catalog: catalog)
                    else { continue }
                    witnesses.append(Witness(link: link, edge: prefix.name, trait: .origin(prefix.name)))
                }
            }
        }
        return witnesses
    }

    /// Returns some paths that resolve under any host that has no meaning.
    private func plainPaths() throws(Interruption.Stop) -> [WitnessPath] {
        var paths: [WitnessPath] = []
        for index in catalog.edges.indices.reversed() where catalog.edges[index].isLinkable {
            try interruption.check()
            guard paths.count < Self.originCount else { break }
            guard let draft = WitnessDraft.all(of: catalog.edges[index], beside: nil).first,
                let way = waysByOpening[0].ways(to: index).ways.first,
                let path = path(way, draft: draft, over: index),
                origins.ordinary(path)
                    .contains(where: { proven(path, under: $0, draft: draft, over: index, name: "") != nil })
            else { continue }
            paths.append(path)
        }
        return paths
    }

    // MARK: One edge

    /// Returns links of a draft over the edge, including links that may resolve differently.
    ///
    /// - Returns: the links, and whether every candidate was tried.
    private func proofs(
        of draft: WitnessDraft,
        over edge: Int,
        _ name: ByteText,
        by ways: [[PathsFromEntry.Step]]
    ) -> (witnesses: [Witness], isComplete: Bool) {
        var witnesses: [Witness] = []
        var isComplete = true
        for way in ways {
            guard let path = path(way, draft: draft, over: edge) else { continue }
            for prefix in origins.detours(path) {
                // The engine might print it under another origin.
                if let witness = proven(path, under: prefix, draft: draft, over: edge, name: name, isPrinted: false) {
                    witnesses.append(witness)
                }
            }
            for prefix in origins.ordinary(path) {
                guard let witness = proven(path, under: prefix, draft: draft, over: edge, name: name) else { continue }
                return (witnesses + [witness], true)
            }
            if origins.isCut(path) { isComplete = false }
        }
        return (witnesses, isComplete || !witnesses.isEmpty)
    }

    /// Resolves a draft and prints it as the engine does, or returns `nil` if it doesn't take the edge.
    ///
    /// Aliases and pluses stay as they are, because the engine never prints them. A draft with a value that doesn't fit
    /// must not resolve.
    private func proven(
        _ path: WitnessPath,
        under prefix: OriginPrefix,
        draft: WitnessDraft,
        over edge: Int,
        name: ByteText,
        isPrinted: Bool = true
    ) -> Witness? {
        guard let text = prefix.link(path), let link = try? DeepLink(text, rootless: catalog.rootlessSchemes) else {
            return nil
        }
        let answer = resolve(ResolutionRequest(link: link), permissions: .all, catalog: catalog)
        guard case .plan(let plan) = answer else {
            return draft.trait.isUnfit ? Witness(link: link, edge: name, trait: draft.trait) : nil
        }
        guard plan.edgeNumbers.contains(edge) else { return nil }
        let printed: DeepLink?
        switch draft.trait {
        case .unfit: return nil
        case .key, .alias, .plus, .origin: printed = nil
        case .plain, .parameter:
            printed =
                !isPrinted ? nil : plan.canonicalLink.flatMap { try? DeepLink($0, rootless: catalog.rootlessSchemes) }
        }
        return Witness(
            link: printed ?? link,
            edge: name,
            trait: draft.trait,
            top: plan.topEdgeNumber,
            level: plan.requiredLevel,
            grants: plan.requiredGrants,
            isSigned: plan.isSigned
        )
    }

    // MARK: Paths

    private func path(_ way: [PathsFromEntry.Step], draft: WitnessDraft, over edge: Int) -> WitnessPath? {
        var text = WitnessText()
        for step in way { append(step, to: &text, variant: draft.variant) }
        text.append(
            catalog.edges[edge],
            values: draft.values,
            alias: draft.alias,
            filling: draft.filling,
            isPlus: draft.trait == .plus,
            keyed: draft.keyed
        )
        return text.finished
    }

    /// Returns the path of a way with the values of a variant.
    private func path(_ way: [PathsFromEntry.Step], of variant: Int) -> WitnessPath? {
        var text = WitnessText()
        for step in way { append(step, to: &text, variant: variant) }
        return text.finished
    }

    /// Appends an edge with the values that a link needs to continue after it.
    private func append(_ step: PathsFromEntry.Step, to text: inout WitnessText, variant: Int) {
        let edge = catalog.edges[step.edge]
        var values: WitnessText.Values = [:]
        for parameter in edge.parameters where !parameter.isFixed {
            guard step.isFull || WitnessText.isNeeded(parameter, on: edge) else { continue }
            let examples = ValueExamples.values(of: parameter.type)
            values[parameter.name.bytewise] = examples.dropFirst(variant).first ?? examples.first
        }
        text.append(edge, values: values, alias: step.alias, filling: step.isFull ? .most : .least)
    }
}
