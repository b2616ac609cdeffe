import DeepLinkClientCode
import DeepLinkCore

/// The changes of edges between two catalogs, as the files declare them.
struct EdgeRules {
    let pairing: CatalogPairing

    /// The removed edges, the differences, and the lists with a different order.
    var changes: [DeclaredChange] {
        var changes: [DeclaredChange] = []
        for index in pairing.old.edges.indices {
            if let other = pairing.inNew(index) {
                changes += self.changes(index, other)
            } else if let change = removal(of: index) {
                changes.append(change)
            }
        }
        return changes + additions + listOrders
    }

    /// The new edges between existing routes that links do not show.
    ///
    /// These are edges that links cannot take, and edges without a segment, because links only take them on the way to
    /// other edges.
    private var additions: [DeclaredChange] {
        pairing.new.edges.enumerated()
            .compactMap { index, edge in
                let ends = [edge.parent, edge.child].filter { $0 < pairing.new.routes.count }
                guard pairing.inOld(index) == nil, !edge.isLinkable || edge.canTakeNoSegment,
                    ends.allSatisfy({ pairing.inOldRoutes[$0] != nil })
                else { return nil }
                let route = pairing.new.routes[edge.child].name.bytewise
                var change = DeclaredChange(rule: .edgeAdded, route: route, newEdge: index)
                change.new = edge.presentation.name.bytewise
                if edge.isLinkable {
                    change.harms = [.links: .risk]
                    change.needsBrokenLink = true
                }
                return change
            }
    }

    private func removal(of index: Int) -> DeclaredChange? {
        let edge = pairing.old.edges[index]
        let isEntry = edge.parent == pairing.old.routes.count
        // The edges of a removed route are removed with it.
        guard isEntry || pairing.inNewRoutes[edge.parent] != nil else { return nil }
        var change = DeclaredChange(rule: isEntry ? .entryRemoved : .edgeRemoved, route: name(edge), oldEdge: index)
        change.old = edge.presentation.name.bytewise
        // The app itself opens an edge without links, and sends it in its current stack.
        if !edge.isLinkable { change.harms = [.apps: .breaking] }
        return change
    }

    private func name(_ edge: Edge) -> ByteText { pairing.old.routes[edge.child].name.bytewise }

    private func changes(_ index: Int, _ other: Int) -> [DeclaredChange] {
        let (edge, new) = (pairing.old.edges[index], pairing.new.edges[other])
        func change(_ rule: ChangeRule, old: String?, new: String?) -> DeclaredChange {
            pairing.change(rule, ofEdge: index, and: other, from: old?.bytewise, to: new?.bytewise)
        }
        var changes: [DeclaredChange] = []
        if edge.presentation != new.presentation {
            changes.append(change(.presentationChanged, old: edge.presentation.name, new: new.presentation.name))
        }
        if edge.isInitial != new.isInitial {
            let words = (edge.isInitial ? "initial" : "not initial", new.isInitial ? "initial" : "not initial")
            changes.append(change(.initialChanged, old: words.0, new: words.1))
        }
        if edge.isLinkable, !new.isLinkable {
            changes.append(change(.edgeNotLinkable, old: "linkable", new: "not linkable"))
        }
        if edge.isLinkable, new.isLinkable { changes += addresses(edge, new: new, change: change) }
        let route = name(edge)
        let parameters = ParameterRules(edge: edge, new: new) { pairing.types.requires($0, of: route) }
        return changes + parameters.changes(change)
    }

    private func addresses(
        _ edge: Edge,
        new: Edge,
        change: (ChangeRule, String?, String?) -> DeclaredChange
    ) -> [DeclaredChange] {
        let (text, newText) = (AddressText.text(of: edge.address), AddressText.text(of: new.address))
        var kept = new.aliases.map(AddressText.shape)
        if case .path(let pattern) = new.address { kept.append(AddressText.shape(of: pattern)) }
        func isKept(_ pattern: PathPattern) -> Bool {
            let shape = AddressText.shape(of: pattern).bytewise
            return kept.contains { $0.bytewise == shape }
        }
        var changes: [DeclaredChange] = []
        switch edge.address {
        case .path(let pattern):
            if !isKept(pattern) {
                var change = change(.pathChanged, text, newText)
                change.trait = .plain
                changes.append(change)
            }
        case .query:
            if text.bytewise != newText.bytewise { changes.append(change(.queryKeyChanged, text, newText)) }
        }
        for alias in edge.aliases where !isKept(alias) {
            var change = change(.aliasRemoved, "/" + alias.text, nil)
            change.trait = .alias(alias)
            change.needsTrait = true
            changes.append(change)
        }
        return changes
    }

    /// The lists of edges between two routes that differ in their order.
    ///
    /// A change is only reported with a link that shows it.
    private var listOrders: [DeclaredChange] {
        pairing.oldEdges.lists.values.filter { $0.count > 1 }.sorted { $0[0] < $1[0] }
            .compactMap { list in
                let places = list.compactMap(pairing.inNew)
                guard places != places.sorted() else { return nil }
                func texts(_ edges: [Edge]) -> ByteText {
                    edges.map { AddressText.text(of: $0.address) + " " + $0.presentation.name }
                        .joined(separator: ", ").bytewise
                }
                return DeclaredChange(
                    rule: .listOrderChanged,
                    route: name(pairing.old.edges[list[0]]),
                    oldEdge: list[0],
                    newEdge: pairing.inNew(list[0]),
                    old: texts(list.map { pairing.old.edges[$0] }),
                    new: texts(places.sorted().map { pairing.new.edges[$0] })
                )
            }
    }
}

/// The address of a route in links, in the syntax of reports.
enum AddressText {
    /// Returns a path with its slash, or a query key with its question mark.
    static func text(of address: RouteAddress) -> String {
        switch address {
        case .path(let pattern): "/" + pattern.text
        case .query(let key): "?" + key
        }
    }

    /// Returns a path without its parameters' names, so that two equal shapes match the same links.
    static func shape(of pattern: PathPattern) -> String {
        var shape = ""
        var isName = false
        for scalar in pattern.text.unicodeScalars {
            switch scalar {
            case "{": (isName, shape) = (true, shape + "{")
            case "}": (isName, shape) = (false, shape + "}")
            case "?", "*": shape.unicodeScalars.append(scalar)
            default: if !isName { shape.unicodeScalars.append(scalar) }
            }
        }
        return shape
    }
}
