import DeepLinkCore

/// The links that show what a catalog does: for each edge one, one for each value at a bound of a parameter, and one for
/// each alias; for each origin and host some.
struct WitnessLinks {
    /// The most links of one edge, but for the words of enumerations.
    private static let maximumCount = 256

    /// The most links of one origin and host.
    private static let originCount = 3

    private let catalog: RouteCatalog
    private let ways: WitnessWays
    private let prefixes: [OriginPrefix]
    private let interruption: ComparisonInterruption

    /// Prepares for a catalog, whose links begin in one of some ways: in the first where they can.
    init(_ catalog: RouteCatalog, prefixes: [OriginPrefix], _ interruption: ComparisonInterruption) {
        self.catalog = catalog
        self.prefixes = prefixes
        self.interruption = interruption
        ways = WitnessWays(catalog)
    }

    /// Lists the witnesses of the edges that links can take, each of which resolves and leads over its edge.
    ///
    /// - Parameters:
    ///   - beside: the edge of the other catalog that is the same; its bounds are tried too.
    ///   - name: the name of an edge in reports.
    /// - Returns: the witnesses, those of an edge together.
    /// - Throws: ``ComparisonInterruption/Stop``.
    func edges(
        beside: (Int) -> Edge?,
        name: (Int) -> ByteText
    ) throws(ComparisonInterruption.Stop) -> [Witness] {
        var witnesses: [Witness] = []
        for index in catalog.edges.indices where catalog.edges[index].isLinkable {
            try interruption.check()
            var known: Set<DeepLink> = []
            for draft in drafts(of: index, beside: beside(index)) {
                guard known.count < Self.maximumCount || draft.isWord,
                    let witness = proven(draft, over: index, name(index)), known.insert(witness.link).inserted
                else { continue }
                witnesses.append(witness)
            }
        }
        return witnesses
    }

    /// Lists the witnesses of the origins: under each scheme and host some of the links that lead somewhere.
    func origins() throws(ComparisonInterruption.Stop) -> [Witness] {
        var paths: [(text: String, edge: Int)] = []
        for index in catalog.edges.indices.reversed() where catalog.edges[index].isLinkable {
            try interruption.check()
            guard paths.count < Self.originCount else { break }
            guard let draft = drafts(of: index, beside: nil).first, proven(draft, over: index, "") != nil else {
                continue
            }
            paths.append((draft.text, index))
        }
        var witnesses: [Witness] = []
        for origin in catalog.origins {
            for prefix in OriginPrefix.all(of: origin) {
                for path in paths {
                    guard let text = prefix.link(path.text),
                        let link = try? DeepLink(text, rootless: catalog.rootlessSchemes),
                        case .plan = resolve(ResolutionRequest(link: link), userLevel: .premiumUser, catalog: catalog)
                    else { continue }
                    witnesses.append(Witness(link: link, edge: prefix.name, trait: .origin(prefix.name)))
                }
            }
        }
        return witnesses
    }

    // MARK: One edge

    /// A link before it is proven: path and query.
    private struct Draft {
        let text: String
        let trait: Witness.Trait
        var isWord = false
    }

    /// Resolves a draft, and prints it as the engine does; `nil` where it does not lead over the edge.
    ///
    /// Aliases and pluses are what the engine never prints: they stay as they are. A value that does not fit must lead
    /// nowhere.
    private func proven(_ draft: Draft, over edge: Int, _ name: ByteText) -> Witness? {
        for prefix in prefixes {
            guard let text = prefix.link(draft.text),
                let link = try? DeepLink(text, rootless: catalog.rootlessSchemes)
            else { continue }
            if let witness = proven(link, draft, over: edge, name) { return witness }
        }
        return nil
    }

    private func proven(_ link: DeepLink, _ draft: Draft, over edge: Int, _ name: ByteText) -> Witness? {
        let answer = resolve(ResolutionRequest(link: link), userLevel: .premiumUser, catalog: catalog)
        guard case .plan(let plan) = answer else {
            if case .unfit = draft.trait { return Witness(link: link, edge: name, trait: draft.trait) }
            return nil
        }
        guard plan.edgeNumbers.contains(edge) else { return nil }
        let printed: DeepLink?
        switch draft.trait {
        case .unfit: return nil
        case .alias, .plus, .origin: printed = nil
        case .plain, .parameter:
            printed = plan.canonicalLink.flatMap { try? DeepLink($0, rootless: catalog.rootlessSchemes) }
        }
        return Witness(
            link: printed ?? link,
            edge: name,
            trait: draft.trait,
            top: plan.topEdgeNumber,
            level: plan.requiredLevel
        )
    }

    private func drafts(of index: Int, beside other: Edge?) -> [Draft] {
        guard let way = ways.way(over: index) else { return [] }
        let edge = catalog.edges[index]
        var examples: [Example] = []
        // No link sets a fixed one.
        for parameter in edge.parameters where parameter.fixedValue == nil {
            let twin = other?.parameters.first { $0.identifier == parameter.identifier }
            examples.append(
                Example(
                    parameter: parameter,
                    values: ValueExamples.values(of: parameter.type, beside: twin?.type),
                    isNeeded: WitnessText.isNeeded(parameter, on: edge)
                )
            )
        }
        let needed = Example.values(examples) { $0.isNeeded ? $0.values.first : nil }
        func draft(_ values: WitnessText.Values, _ trait: Witness.Trait, alias: PathPattern? = nil) -> Draft? {
            var text = WitnessText()
            for step in way.dropLast() { text.append(catalog.edges[step], self.values(of: step)) }
            text.append(edge, values, alias: alias, isPlus: trait == .plus)
            return text.finished.map { Draft(text: $0, trait: trait) }
        }
        var drafts = [draft(needed, .plain)]
        // A plain value may be the literal of a sibling.
        for place in 1...2 {
            let others = Example.values(examples) { example in
                example.isNeeded ? example.values.dropFirst(place).first ?? example.values.first : nil
            }
            drafts.append(draft(others, .plain))
        }
        for example in examples {
            let name = example.parameter.name.bytewise
            for value in example.values {
                var one = draft(needed.merging([name: value]) { $1 }, .parameter(name))
                one?.isWord = example.isEnumeration
                drafts.append(one)
            }
            if !example.isNeeded { drafts.append(draft(needed, .parameter(name))) }
            if let unfit = ValueExamples.unfit(for: example.parameter.type) {
                drafts.append(draft(needed.merging([name: unfit]) { $1 }, .unfit(name)))
            }
        }
        let all = Example.values(examples) { $0.values.first }
        drafts.append(draft(all, .plain))
        for alias in edge.aliases {
            drafts.append(draft(all, .alias(alias), alias: alias))
            drafts.append(draft(needed, .alias(alias), alias: alias))
        }
        drafts.append(draft(all, .plus))
        return drafts.compactMap(\.self)
    }

    /// The values that a link needs to pass over an edge.
    private func values(of step: Int) -> WitnessText.Values {
        let edge = catalog.edges[step]
        var values: WitnessText.Values = [:]
        for parameter in edge.parameters where WitnessText.isNeeded(parameter, on: edge) {
            values[parameter.name.bytewise] = ValueExamples.values(of: parameter.type).first
        }
        return values
    }
}

/// A parameter with values to try.
private struct Example {
    let parameter: Parameter
    let values: [ParameterValue]
    let isNeeded: Bool

    var isEnumeration: Bool {
        if case .scalar(.enumeration) = parameter.type { true } else { false }
    }

    static func values(_ examples: [Example], _ value: (Example) -> ParameterValue?) -> WitnessText.Values {
        var values: WitnessText.Values = [:]
        for example in examples { values[example.parameter.name.bytewise] = value(example) }
        return values
    }
}
