package import DeepLinkCore
import DeepLinkFormats

extension RouteCatalog {
    /// Returns the catalog of one app, which is its unnamed app.
    ///
    /// Routes and edges of other apps are left out, as are the routes that only they lead to, and the gates whose stacks
    /// have another app. The keys of apps by name are left out too, because engines of 1.0 refuse them: `app`, and what
    /// the association files alone have. Versions that the app requires by its name (`driver.ios`) become versions of the
    /// platform. The version of the catalog stays the same.
    ///
    /// - Throws: `CatalogError` if the rest isn't a sound catalog.
    /// - Complexity: linear in the catalog.
    package func restricted(to app: AppIndex) throws(CatalogError) -> RouteCatalog {
        let name = apps.name(of: app)
        let log = IssueLog(file: routes.first?.location.file ?? name)
        let bytes = CatalogBody(self).json
        guard
            case .object(let members)? = try? JSONParser.parse(
                bytes,
                maximumValueCount: BundleDocument.maximumValueCount
            )
        else {
            log.report(
                .tooLarge,
                at: nil,
                message: "The catalog is too large.",
                hint: "Split the routes over several catalogs."
            )
            throw CatalogError(log.issues)
        }
        let document = AppDocument(catalog: self, part: AppPart(self, of: app), app: name).document(members)
        // Issues have the places of the file, which are in the JSON.
        let tree = YAMLNode(.object(document)) { members in
            guard case .object(let place)? = members["location"], case .integer(let line)? = place["line"],
                case .integer(let column)? = place["column"], let line = Int(exactly: line),
                let column = Int(exactly: column)
            else { return nil }
            return YAMLMark(line: line, column: column)
        }
        return try DefinitionReader(log: log).catalog(tree, version: version)
    }
}

/// The routes and edges of a catalog that one app has.
private struct AppPart {
    /// Whether the app has each route.
    private(set) var routes: [Bool]

    /// Whether the app has each edge.
    private(set) var edges: [Bool]

    init(_ catalog: RouteCatalog, of app: AppIndex) {
        routes = [Bool](repeating: false, count: catalog.routes.count)
        edges = [Bool](repeating: false, count: catalog.edges.count)
        func isOwn(_ edge: Int) -> Bool { catalog.edges[edge].app.map { $0 == app } ?? true }
        var waiting = [catalog.entry]
        while let list = waiting.popLast() {
            // An initial child is below all other children but tabs. Stacks with the initial child of another app are stacks
            // of that app.
            let isOfTabs = list != catalog.entry && list.contains { catalog.edges[$0].isInitial && !isOwn($0) }
            for index in list where isOwn(index) {
                let edge = catalog.edges[index]
                guard !isOfTabs || edge.presentation == .tab else { continue }
                edges[index] = true
                guard !routes[edge.child] else { continue }
                routes[edge.child] = true
                waiting.append(catalog.routes[edge.child].opens)
            }
        }
    }

    /// Returns whether a route leads to another one over edges of the app.
    func leads(from route: Int, to other: Int, in catalog: RouteCatalog) -> Bool {
        var isReached = [Bool](repeating: false, count: routes.count)
        var waiting = [route]
        while let next = waiting.popLast() {
            for index in catalog.routes[next].opens where edges[index] {
                let child = catalog.edges[index].child
                if child == other { return true }
                guard !isReached[child] else { continue }
                isReached[child] = true
                waiting.append(child)
            }
        }
        return false
    }
}

/// The JSON of a catalog, restricted to one app.
private struct AppDocument {
    /// The keys of an app on a platform that engines of 1.0 have.
    private static let platformKeys: [ByteText: [ByteText]] = [
        "ios": ["appID", "storeID", "scheme", "storeQuery", "copy"],
        "android": ["package", "fingerprints", "storeQuery"],
    ]

    let catalog: RouteCatalog
    let part: AppPart

    /// The name of the app.
    let app: String

    /// Returns the document without the parts of other apps.
    func document(_ members: JSONObject) -> JSONObject {
        var rest = members
        rest.change("apps") { apps($0) }
        rest.change("gates") { gates($0) }
        rest.change("entry") { edges($0, of: catalog.entry) }
        rest.change("routes") { list in
            .array(
                zip(catalog.routes.indices, list.items).filter { part.routes[$0.0] }
                    .map { index, item in
                        guard case .object(var route) = item else { return item }
                        strip(&route, ofRoute: index)
                        route.change("opens") { edges($0, of: catalog.routes[index].opens) }
                        return .object(route)
                    }
            )
        }
        return rest
    }

    /// Returns the app's forms on the platforms, as the forms of an unnamed app.
    private func apps(_ value: JSONValue) -> JSONValue {
        guard case .object(let members) = value, case .object(let own)? = members[app.bytewise] else { return value }
        var unnamed = JSONObject()
        for (platform, keys) in Self.platformKeys.sorted(by: { $0.key > $1.key }) {
            guard let items = own[platform]?.items else { continue }
            let kept = items.map { item -> JSONValue in
                guard case .object(let members) = item else { return item }
                var rest = JSONObject()
                for member in members where keys.contains(member.name) { rest.set(member.value, for: member.name) }
                return .object(rest)
            }
            unnamed.set(.array(kept), for: platform)
        }
        return .object(unnamed)
    }

    /// Returns the gates whose stacks the app has.
    private func gates(_ value: JSONValue) -> JSONValue {
        guard case .object(var gates) = value else { return value }
        for gate in catalog.gatesInOrder {
            guard let link = try? DeepLink(gate.link, rootless: catalog.rootlessSchemes),
                case .plan(let plan) = resolve(ResolutionRequest(link: link), permissions: .all, catalog: catalog),
                plan.edgeNumbers.allSatisfy({ part.edges[$0] })
            else {
                gates.remove(catalog.text(of: gate.gives).bytewise)
                continue
            }
        }
        return .object(gates)
    }

    private func edges(_ value: JSONValue, of list: Range<Int>) -> JSONValue {
        .array(
            zip(list, value.items).filter { part.edges[$0.0] }
                .map { index, item in
                    guard case .object(var edge) = item else { return item }
                    strip(&edge, ofRoute: catalog.edges[index].child)
                    return .object(edge)
                }
        )
    }

    /// Removes the keys of apps by name from a route or an edge, and of groups, whose edges are listed.
    ///
    /// A value is not inherited from a route that no longer leads to its destination.
    private func strip(_ members: inout JSONObject, ofRoute route: Int) {
        members.remove("app")
        members.remove("group")
        members.remove("groups")
        members.change("since") { since($0) }
        if case .object(let versions)? = members["since"], versions.count == 0 { members.remove("since") }
        members.change("parameters") { list in
            .array(
                list.items.filter { item in
                    guard case .object(let parameter) = item, case .string(let origin)? = parameter["inherit"] else {
                        return true
                    }
                    return catalog.routes.indices.contains { source in
                        origin.utf8.starts(with: "\(catalog.routes[source].name).".utf8)
                            && part.leads(from: source, to: route, in: catalog)
                    }
                }
            )
        }
    }

    /// Returns the required versions of the app, for each platform the later of its own and every app's.
    private func since(_ value: JSONValue) -> JSONValue {
        guard case .object(let members) = value else { return value }
        var versions = JSONObject()
        for platform in AppVersion.Platform.allCases {
            let names = [platform.rawValue, "\(app).\(platform.rawValue)"]
            let later = names.compactMap { name -> VersionNumber? in
                guard case .string(let text)? = members[name.bytewise] else { return nil }
                return VersionNumber(text)
            }
            if let version = later.max() { versions.set(.string(version.text), for: platform.rawValue.bytewise) }
        }
        return .object(versions)
    }
}

extension JSONObject {
    /// Replaces the value of a name, if the object has the name.
    fileprivate mutating func change(_ name: ByteText, by change: (JSONValue) -> JSONValue) {
        if let value = self[name] { set(change(value), for: name) }
    }
}
