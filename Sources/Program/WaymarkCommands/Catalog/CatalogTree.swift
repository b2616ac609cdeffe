import DeepLinkCore

/// A catalog as a tree for a terminal.
struct CatalogTree {
    private let catalog: RouteCatalog
    private var table = TextTable()

    /// The edge below which each route is expanded.
    private let expansions: [Int?]

    /// The names of groups with edges.
    private let groups: Set<ByteText>

    /// The maximum number of similar edges that have one row each if their routes are expanded elsewhere.
    ///
    /// More share one row.
    private static let maximumAlikeCount = 3

    /// Draws the routes from `entry` down.
    ///
    /// Each route is expanded once, at its shortest distance from `entry`. Each group is drawn once, after the tree.
    init(_ catalog: RouteCatalog) {
        self.catalog = catalog
        expansions = Self.expansions(of: catalog)
        let groups = catalog.groups
        self.groups = Set(groups.map(\.name.bytewise))
        append(Array(catalog.entry), indent: "")
        for group in groups {
            table.append(["group " + group.name, "", "", "", ""])
            append(group.edges, indent: "")
        }
    }

    /// Returns the edge below which each route is expanded: the nearest to `entry` for links, or else for apps.
    private static func expansions(of catalog: RouteCatalog) -> [Int?] {
        let firstEdges = catalog.firstEdges
        var expansions = [Int?](repeating: nil, count: catalog.routes.count)
        for takesAll in [false, true] {
            var (ranges, next) = ([catalog.entry], 0)
            var isSeen = [Bool](repeating: false, count: catalog.routes.count)
            while next < ranges.count {
                for index in ranges[next] where takesAll || catalog.edges[index].isLinkable {
                    let child = catalog.edges[index].child
                    guard !isSeen[child] else { continue }
                    isSeen[child] = true
                    if expansions[child] == nil { expansions[child] = firstEdges[index] }
                    ranges.append(catalog.routes[child].opens)
                }
                next += 1
            }
        }
        return expansions
    }

    /// The lines of the tree, with the origins before and the gates after it.
    var lines: [String] {
        let origins = (catalog.origins + catalog.shortLinkOrigins)
            .map { origin in
                let prefix = origin.pathPrefix.map { "/" + $0 }.joined()
                let fragment = origin.routesFragment ? "#" : ""
                return switch origin.authority {
                case .hosts where origin.hasShortLinks:
                    origin.hosts.map { "\(origin.scheme)://\($0)\(prefix)/<code>" }.joined(separator: " ")
                case .hosts where !origin.hosts.isEmpty:
                    origin.hosts.map { "\(origin.scheme)://\($0)\(prefix)\(fragment)" }.joined(separator: " ")
                case .segment where !origin.hosts.isEmpty:
                    // The host alone is a segment: `https://{live.artsy.net}`.
                    origin.hosts.map { "\(origin.scheme)://{\($0)}\(prefix)\(fragment)" }.joined(separator: " ")
                case .hosts, .ignore, .rootless: "\(origin.scheme):\(prefix)\(fragment)"
                case .segment: "\(origin.scheme):/\(prefix)/\(fragment)"
                }
            }
        let gates = catalog.gatesInOrder.map { gate in
            "gate \(catalog.text(of: gate.gives))  \(gate.link)" + (gate.over.map { "  over \($0.name)" } ?? "")
        }
        return ["catalog \(catalog.version)  \(origins.joined(separator: " "))"] + table.lines + gates
    }

    /// A row of the tree, for one edge or several, with the indentation of their children.
    private struct Row {
        let edges: [Int]
        let indent: String
        var isLast = false
    }

    /// Draws depth first with an explicit list of remaining rows, since a chain of routes may have any length.
    private mutating func append(_ edges: [Int], indent: String) {
        var todo = rows(edges, indent: indent)
        while let row = todo.popLast() {
            let edge = catalog.edges[row.edges[0]]
            let words = EdgeText(edge: edge, apps: catalog.apps)
            let isShared = row.edges.count > 1
            table.append([
                row.indent + (row.isLast ? "└─ " : "├─ ") + names(of: row),
                words.presentation,
                isShared ? "" : words.address,
                isShared ? "" : catalog.texts(of: edge.requirements.access).joined(separator: " "),
                isShared ? "" : words.parameters,
                place(of: row),
            ])
            guard expansions[edge.child] == row.edges[0] else { continue }
            let own = catalog.routes[edge.child].opens.filter { catalog.edges[$0].group == nil }
            todo += rows(own, indent: row.indent + (row.isLast ? "   " : "│  "))
        }
    }

    /// Returns the file and line of the route that a row expands, if an included file declares it.
    private func place(of row: Row) -> String {
        let route = catalog.routes[catalog.edges[row.edges[0]].child]
        guard expansions[catalog.edges[row.edges[0]].child] == row.edges[0],
            let file = catalog.includedFiles.name(at: route.location)
        else { return "" }
        return "\(file):\(route.location.line)"
    }

    /// Returns the names of a row's routes, with their groups, or with a mark if they are expanded elsewhere.
    private func names(of row: Row) -> String {
        let routes = row.edges.map { catalog.routes[catalog.edges[$0].child] }
        let more = routes.count - Self.maximumAlikeCount
        guard more > 0 else {
            guard expansions[catalog.edges[row.edges[0]].child] == row.edges[0] else {
                return routes[0].name + (routes[0].opens.isEmpty ? "" : " ↺")
            }
            let own = routes[0].groups.filter { groups.contains($0.bytewise) }
            return ([routes[0].name] + own).joined(separator: " + ")
        }
        return routes.prefix(Self.maximumAlikeCount).map(\.name).joined(separator: ", ") + " and \(more) more ↺"
    }

    /// Returns the rows of some edges, last first.
    ///
    /// Many similar edges to routes that are expanded elsewhere share one row.
    private func rows(_ edges: [Int], indent: String) -> [Row] {
        var alike: [ByteText: [Int]] = [:]
        for index in edges {
            if let likeness = likeness(of: index) { alike[likeness, default: []].append(index) }
        }
        var rows: [Row] = []
        for index in edges {
            guard let others = likeness(of: index).flatMap({ alike[$0] }), others.count > Self.maximumAlikeCount else {
                rows.append(Row(edges: [index], indent: indent))
                continue
            }
            if others[0] == index { rows.append(Row(edges: others, indent: indent)) }
        }
        if !rows.isEmpty { rows[rows.count - 1].isLast = true }
        return rows.reversed()
    }

    /// Returns the key that an edge shares with similar edges, or `nil` if its row has details of its own.
    private func likeness(of index: Int) -> ByteText? {
        let edge = catalog.edges[index]
        guard let other = expansions[edge.child], other != index else { return nil }
        let (words, known) = (
            EdgeText(edge: edge, apps: catalog.apps), EdgeText(edge: catalog.edges[other], apps: catalog.apps)
        )
        let isKnown =
            words.address.bytewise == known.address.bytewise && words.parameters.bytewise == known.parameters.bytewise
            && edge.requirements == catalog.edges[other].requirements && edge.app == catalog.edges[other].app
        return isKnown ? words.presentation.bytewise : nil
    }
}

/// The description of a catalog's edge for a terminal.
struct EdgeText {
    let edge: Edge

    /// The apps of the catalog.
    let apps: Apps

    /// The presentation of the child, with its special properties.
    var presentation: String {
        let marks = [edge.isInitial ? "initial" : nil, edge.isLinkable ? nil : "not linkable"].compactMap(\.self)
        let app = edge.app.map { ["app \(apps.name(of: $0))"] } ?? []
        let versions = edge.requirements.since.versions(in: apps).map { "from \($0.key)/\($0.number.text)" }
        return ([edge.presentation.name] + marks + app + versions).joined(separator: ", ")
    }

    /// The path or query key, followed by the aliases.
    var address: String {
        let first =
            switch edge.address {
            case .path(let pattern): pattern.isContainer ? "(container)" : "/" + pattern.text
            case .query(let key): "?" + key
            }
        return ([first] + edge.aliases.map { "or /" + $0.text }).joined(separator: " ")
    }

    /// The parameters with their types.
    ///
    /// `!` marks a required query parameter, `=` a default, `:=` a fixed value, and `~` a parameter that is left out if
    /// it doesn't fit. `→ ?redirect_to` is the key of the link that is resolved in the route's place.
    var parameters: String {
        edge.parameters
            .map { parameter in
                if let link = edge.linkParameter, link === parameter { return "→ ?\(link.key)" }
                if let inheritance = parameter.inheritance { return "\(parameter.name) of \(inheritance.text)" }
                if let value = parameter.fixedValue { return "\(parameter.name) := \(value.text)" }
                let fallback = parameter.defaultValue.map { " = \($0.text)" } ?? ""
                let isNamedLikeKey = parameter.key == parameter.name && parameter.otherKeys.isEmpty
                let keys = [parameter.key] + parameter.otherKeys
                let key = isNamedLikeKey ? "" : " from \(keys.joined(separator: " or "))"
                return
                    "\(parameter.name): \(type(parameter.type))\(parameter.isRequired ? "!" : parameter.ignoresInvalid ? "~" : "")\(key)\(fallback)"
            }
            .joined(separator: ", ")
    }

    private func type(_ type: ParameterType) -> String {
        guard case .object(let fields) = type else { return type.name }
        return "{ "
            + fields.map { "\($0.name): \($0.type.name)\($0.isRequired ? "!" : "")" }.joined(separator: ", ") + " }"
    }
}
