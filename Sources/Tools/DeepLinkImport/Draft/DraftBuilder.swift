import DeepLinkCore

/// A draft in the making, of inferred paths and declared routes.
struct DraftBuilder {
    private let tree: RouteTree
    private let declared: [DeclaredRoute]
    private let languages: [String]
    private var names = DraftNames()

    /// The routes of nodes, in the order in which they are written.
    private var routes: [DraftRoute] = []

    /// The position of a node's route.
    private var places: [Int: Int] = [:]

    /// The nodes of routes, in the order of their paths.
    private var terminals: [Int] = []

    private var entry: [DraftEdge] = []

    /// The position of the container that opens all routes, unless routes are declared.
    private var homePlace: Int?

    /// The number of texts that are read from a query, and of those with a plus.
    private var queryTexts = (count: 0, pluses: 0)

    init(_ tree: RouteTree, declared: [DeclaredRoute], languages: [String]) {
        self.tree = tree
        self.declared = declared
        self.languages = languages
    }

    /// Returns the routes with their entry.
    mutating func build() -> DraftCatalog {
        collect(0)
        addDeclared()
        nameTerminals()
        let home = addHome()
        for node in terminals where node != 0 && tree[node].declaredRoute == nil { addRoute(node, home: home) }
        addParameters()
        for (node, place) in places.sorted(by: { $0.key < $1.key }) {
            routes[place].links += tree[node].samples.links.map(\.text)
        }
        var draft = DraftCatalog()
        draft.entry = entry
        draft.routes = routes
        if queryTexts.count > 0 {
            draft.plusIsSpace =
                queryTexts.pluses > 0
                ? (
                    true,
                    "a plus in \(queryTexts.pluses) of \(queryTexts.count) texts of queries: a space, as browsers write it"
                )
                : (false, "no plus in \(queryTexts.count) texts of queries")
        }
        return draft
    }

    /// Collects the nodes at which links end, in the order of their paths.
    private mutating func collect(_ node: Int) {
        if tree[node].ends > 0 || tree[node].declaredRoute != nil { terminals.append(node) }
        var children: [Int] = []
        for (_, child) in tree[node].literals.sorted(by: { $0.key < $1.key }) where !children.contains(child) {
            children.append(child)
        }
        let signs = tree[node].signs.sorted { $0.key < $1.key }.map(\.value)
        for child in children + signs + [tree[node].value].compactMap(\.self) { collect(child) }
    }

    // MARK: Structure

    /// Adds the declared routes as they are.
    private mutating func addDeclared() {
        for route in declared { _ = names.unique([route.name]) }
        for (number, route) in declared.enumerated() {
            routes.append(
                DraftRoute(
                    name: route.name,
                    path: route.segments.map(\.text).joined(separator: "/"),
                    comment: route.comment,
                    aliases: route.aliases.map { $0.map(\.text).joined(separator: "/") }
                )
            )
            let edge = DraftEdge(
                route: route.name,
                presentation: route.presentation,
                isInitial: route.isInitial,
                isLinkable: route.isLinkable,
                comment: route.edgeComment
            )
            if let parent = route.parent { routes[parent].opens.append(edge) } else { entry.append(edge) }
            for node in terminals where tree[node].declaredRoute == number { places[node] = number }
        }
    }

    /// Adds the container that opens all routes, unless routes are declared, and returns its position.
    private mutating func addHome() -> Int? {
        if let container = declared.firstIndex(where: { $0.parent == nil && $0.segments.isEmpty }) { return container }
        guard declared.isEmpty else { return nil }
        let name = names.unique(["home", "root", "app"])
        let ends = tree[0].ends
        var route = DraftRoute(
            name: name,
            path: "",
            comment: ends > 0 ? "\(links(ends)) without a path" : "no link has an empty path"
        )
        route.aliases = languages
        if !languages.isEmpty { route.aliasComment = "languages with which paths begin" }
        routes.append(route)
        places[0] = routes.count - 1
        homePlace = routes.count - 1
        entry.append(
            DraftEdge(route: name, presentation: "root", isInitial: true, comment: "a guess: it opens all others")
        )
        return routes.count - 1
    }

    private var routeNames: [Int: String] = [:]

    /// Names the nodes, the shortest paths first.
    private mutating func nameTerminals() {
        let own = terminals.filter { $0 != 0 && tree[$0].declaredRoute == nil }
        let order = own.enumerated()
            .sorted { (tree[$0.element].depth, $0.offset) < (tree[$1.element].depth, $1.offset) }
        for (_, node) in order { routeNames[node] = names.unique(candidates(node)) }
    }

    private func candidates(_ node: Int) -> [String] {
        var literals: [String] = []
        var next = tree[node].parent
        if let own = tree.literal(node) { literals.append(own) }
        while let place = next {
            if let literal = tree.literal(place) { literals.append(literal) }
            next = tree[place].parent
        }
        let camel = DraftNames.camelCase
        guard let last = literals.first else {
            return tree[node].isRest ? ["page", "pages"] : [signName(node) ?? "item"]
        }
        if tree.literal(node) != nil {
            return (1...max(1, literals.count)).map { camel(literals.prefix($0).reversed()) }
        }
        let one = camel([DraftNames.singular(last)])
        let detail = tree[node].isRest ? "pages" : "detail"
        let longer = literals.dropFirst().first.map { camel([DraftNames.singular($0), DraftNames.singular(last)]) }
        return [one, DraftNames.joined(one, detail), longer ?? "", camel(literals.reversed() + [detail])]
    }

    /// Returns the name of values with the node's sign, or `nil` for others.
    private func signName(_ node: Int) -> String? {
        guard case .sign(let sign) = tree[node].label else { return nil }
        return sign == UInt8(ascii: "@") ? "handle" : "signed"
    }

    private mutating func addRoute(_ node: Int, home: Int?) {
        guard let name = routeNames[node] else { return }
        var chain = [node]
        var parent = tree[node].parent
        while let place = parent, places[place] == nil || isClosed(place) {
            chain.insert(place, at: 0)
            parent = tree[place].parent
        }
        if chain.first == 0 { chain.removeFirst() }
        let path = PathNames(chain, in: tree)
        routes.append(
            DraftRoute(
                name: name,
                path: path.text,
                comment: links(tree[node].ends),
                aliases: path.aliases,
                aliasComment: path.aliases.isEmpty ? nil : "other spellings in the links"
            )
        )
        places[node] = routes.count - 1
        parameterNodes[routes.count - 1] = path.parameters
        let above = parent.flatMap { $0 == 0 ? nil : places[$0] } ?? home
        parents[routes.count - 1] = above
        let edge = DraftEdge(route: name, presentation: above == nil ? "root" : "push", comment: "a guess")
        if let above { routes[above].opens.append(edge) } else { entry.append(edge) }
    }

    /// Returns whether a node's route cannot open others: a rest, or a path with another parent.
    private func isClosed(_ node: Int) -> Bool {
        tree[node].isRest || node == 0 && !declared.isEmpty
    }

    private var parameterNodes: [Int: [(name: String, node: Int)]] = [:]
    private var parents: [Int: Int] = [:]

    private func links(_ count: Int) -> String { "\(count) link\(count == 1 ? "" : "s")" }

    // MARK: Parameters

    private mutating func addParameters() {
        for (place, route) in declared.enumerated() { parents[place] = route.parent }
        for node in terminals where tree[node].declaredRoute != nil {
            if let number = tree[node].declaredRoute, parameterNodes[number] == nil {
                parameterNodes[number] = declaredParameters(of: number, at: node)
            }
        }
        let nodes = Dictionary(places.map { ($1, $0) }, uniquingKeysWith: min)
        for place in routes.indices {
            for (name, node) in parameterNodes[place] ?? [] {
                routes[place].parameters.append(pathParameter(name, node))
            }
            guard let node = nodes[place] else { continue }
            addKeys(of: node, to: place, nodes: nodes)
        }
    }

    /// Returns the nodes of the parameters in a declared route's own path.
    private func declaredParameters(of number: Int, at node: Int) -> [(name: String, node: Int)] {
        var found: [(name: String, node: Int)] = []
        var next: Int? = node
        for segment in declared[number].segments.reversed() {
            guard let place = next else { break }
            if let name = segment.parameterName, tree[place].declaredName != nil { found.insert((name, place), at: 0) }
            next = tree[place].parent
        }
        return found.filter { tree[$0.node].values.count > 0 }
    }

    private func pathParameter(_ name: String, _ node: Int) -> DraftParameter {
        let values = tree[node].values
        if !tree[node].enumeration.isEmpty {
            let words = tree[node].enumeration
            return DraftParameter(
                name: name,
                type: "enum",
                values: words,
                comment: "\(words.count) words in \(links(values.count))"
            )
        }
        let form = values.form
        return DraftParameter(name: name, type: form.name, comment: Self.comment(form, count: values.count))
    }

    private static func comment(
        _ form: (form: ValueForm, name: String, fitting: Int, likeliest: String),
        count: Int
    ) -> String {
        form.name.bytewise == "string" && form.fitting > 0
            ? "string, \(form.likeliest) in \(form.fitting) of \(count)"
            : "\(form.name) in \(form.name.bytewise == "string" ? count : form.fitting) of \(count)"
    }

    private mutating func addKeys(of node: Int, to place: Int, nodes: [Int: Int]) {
        let above = ancestors(of: place)
        let below = routes.indices.filter { ancestors(of: $0).contains(place) }
        for (key, tally) in tree[node].keys.sorted(by: { $0.key < $1.key }) {
            let others = below.compactMap { nodes[$0] }.compactMap { tree[$0].keys[key] }
            // The start page is above all others: what they read is theirs.
            if place == homePlace, !others.isEmpty { continue }
            var values = tally
            for other in others { values.add(other) }
            let isAbove = above.contains { place in
                place != homePlace && nodes[place].map { tree[$0].keys[key] != nil } == true
            }
            let isShared = isAbove || !others.isEmpty
            if isShared, values.repeated > 0 { continue }
            guard
                let parameter = queryParameter(
                    key.string,
                    values,
                    isShared: isShared,
                    taken: routes[place].parameters.map(\.name)
                )
            else { continue }
            routes[place].parameters.append(parameter)
        }
    }

    private func ancestors(of place: Int) -> [Int] {
        var found: [Int] = []
        var next = parents[place] ?? (place == homePlace ? nil : homePlace)
        while let above = next, !found.contains(above) {
            found.append(above)
            next = parents[above] ?? (above == homePlace ? nil : homePlace)
        }
        return found
    }

    private mutating func queryParameter(
        _ key: String,
        _ values: ValueTally,
        isShared: Bool,
        taken: [String]
    ) -> DraftParameter? {
        var name = Identifier(key) != nil ? key : DraftNames.camelCase([key])
        if name.isEmpty { name = "key" }
        while taken.contains(where: { $0.bytewise == name.bytewise }) { name += "Key" }
        let form = values.form
        let isBare = values.bare > 0 && form.name.bytewise != "bool"
        if values.count == 0 {
            // A key without a value is a truth value alone.
            return DraftParameter(
                name: name,
                type: "bool",
                key: name.bytewise == key.bytewise ? nil : key,
                isShared: isShared,
                comment: "a key without a value in \(values.bare) of \(values.bare)"
            )
        }
        var parameter = DraftParameter(
            name: name,
            type: form.name,
            key: name.bytewise == key.bytewise ? nil : key,
            isShared: isShared,
            ignoresInvalid: isBare,
            comment: Self.comment(form, count: values.count)
        )
        if let words = values.enumeration, form.name.bytewise == "string" {
            parameter.type = "enum"
            parameter.values = words
            parameter.comment = "\(words.count) words in \(links(values.count))"
        } else if form.name.bytewise == "string" {
            queryTexts.count += values.count
            queryTexts.pluses += values.pluses
        }
        if values.repeated > 0 {
            parameter.type = "[\(parameter.type)]"
            parameter.comment += ", repeated in \(values.repeated)"
        }
        if isBare { parameter.comment += ", without a value in \(values.bare)" }
        return parameter
    }
}

/// The path of a route below its parent, with names for its parameters.
private struct PathNames {
    /// The path, as catalogs write it.
    let text: String

    /// The same path in other spellings.
    let aliases: [String]

    /// The parameters with their nodes.
    let parameters: [(name: String, node: Int)]

    private static let maximumAliasCount = 8

    init(_ chain: [Int], in tree: RouteTree) {
        let valueCount = chain.count { tree.literal($0) == nil }
        var names = DraftNames()
        var parameters: [(name: String, node: Int)] = []
        var paths: [[String]] = [[]]
        for node in chain {
            switch tree[node].label {
            case .root: continue
            case .literal(let spellings):
                paths = paths.flatMap { path in spellings.map { path + [$0] } }
                if paths.count > Self.maximumAliasCount + 1 { paths.removeSubrange((Self.maximumAliasCount + 1)...) }
            case .value, .sign:
                let sign = if case .sign(let sign) = tree[node].label { String(Unicode.Scalar(sign)) } else { "" }
                let before = tree[node].parent.flatMap(tree.literal)
                let name = names.unique(Self.names(of: tree[node], before: before, isAlone: valueCount == 1))
                parameters.append((name, node))
                let text = tree[node].isRest ? "{\(name)*}" : sign + "{\(name)}"
                paths = paths.map { $0 + [text] }
            }
        }
        self.parameters = parameters
        text = paths[0].joined(separator: "/")
        aliases = paths.dropFirst().map { $0.joined(separator: "/") }
    }

    private static func names(of node: RouteTree.Node, before: String?, isAlone: Bool) -> [String] {
        if let name = node.declaredName { return [name] }
        let kind =
            if node.isRest { "path" } else if !node.enumeration.isEmpty { "kind" } else {
                switch node.values.form.form {
                case .int, .uuid, .double: "id"
                case .date, .dateTime: "date"
                case .word, .opaque: "name"
                }
            }
        guard let before, !isAlone else { return [kind, "value"] }
        let word = DraftNames.camelCase([DraftNames.singular(before)])
        return [kind.bytewise == "id" ? word + "Id" : DraftNames.joined(word, kind), kind, "value"]
    }
}
