package import DeepLinkCore

/// The JSON form of a whole catalog.
package struct CatalogBody: WireBody {
    package let catalog: RouteCatalog

    /// Whether the edges of groups name their group.
    private let namesGroups: Bool

    /// Wraps a catalog.
    ///
    /// Readers of version 1.0 refuse a catalog that names groups.
    package init(_ catalog: RouteCatalog, namingGroups namesGroups: Bool = true) {
        self.catalog = catalog
        self.namesGroups = namesGroups
    }

    /// Writes the body as JSON.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("catalogVersion", catalog.version)
            writer.key("origins")
            write(catalog.origins + catalog.shortLinkOrigins, to: &writer)
            writer.member("plusIsSpace", catalog.plusIsSpace)
            writeAccess(of: catalog, to: &writer)
            write(catalog.apps, site: catalog.site, to: &writer)
            writer.key("entry")
            write(catalog.entry, to: &writer)
            writer.member("routes", array: catalog.routes) { writer, route in write(route, to: &writer) }
        }
    }

    /// Writes the list of origins.
    package func write(_ origins: [Origin], to writer: inout JSONWriter) {
        writer.array(origins) { writer, origin in
            writer.object { writer in
                writer.member("scheme", origin.scheme)
                writer.member("authority", origin.authority.rawValue)
                writer.member("hosts", texts: origin.hosts)
                if !origin.pathPrefix.isEmpty {
                    writer.member("pathPrefix", "/" + origin.pathPrefix.joined(separator: "/"))
                }
                if origin.routesFragment { writer.member("fragment", "path") }
                guard origin.hasShortLinks else { return }
                writer.member("shortLinks", true)
            }
        }
    }

    private func write(_ route: Route, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", route.name)
            if let description = route.description { writer.member("description", description) }
            write(route.address, aliases: route.aliases, to: &writer)
            writer.key("parameters")
            write(Self.declared(route.parameters, of: route), in: route.address, to: &writer)
            if let link = route.link { writer.member("link", link.key) }
            writer.member("authorizationLevel", catalog.levels.text(of: route.authorizationLevel))
            if !route.requirements.grants.isEmpty { write(route.requirements.grants, to: &writer) }
            if !route.requirements.since.isEmpty {
                writer.key("since")
                writer.requiredApps(route.requirements.since, in: catalog.apps)
            }
            if let app = route.app { writer.member("app", catalog.apps.name(of: app)) }
            if route.isSigned { writer.member("signed", true) }
            if let terms = route.shortLink { write(terms, to: &writer) }
            write(route.page, to: &writer)
            writer.key("opens")
            write(route.opens, to: &writer)
            write(route.location, to: &writer)
        }
    }

    private func write(_ terms: ShortLinkTerms, to writer: inout JSONWriter) {
        writer.member("shortLink") { writer in
            if let length = terms.length { writer.member("length", length) }
            guard let life = terms.life else { return }
            writer.member("within", life.text)
        }
    }

    /// Writes the members that describe an address.
    package func write(
        _ address: RouteAddress,
        aliases: [PathPattern],
        isOverride: Bool = false,
        to writer: inout JSONWriter
    ) {
        switch address {
        case .path(let pattern):
            writer.member("path", pattern.text)
        case .query(let key):
            writer.member("query", key)
        }
        guard isOverride || !aliases.isEmpty else { return }
        writer.member("aliases", array: aliases) { $0.string($1.text) }
    }

    /// Writes parameters, where a path determines which of its parameters are required.
    package func write(_ parameters: [Parameter], in address: RouteAddress?, to writer: inout JSONWriter) {
        let path: PathPattern? = if case .path(let pattern)? = address { pattern } else { nil }
        writer.array(parameters) { writer, parameter in
            let isOptional = path?.isOptional(parameter: parameter.name)
            writer.object { writer in
                writer.member("name", parameter.name)
                writer.member("type", parameter.type.name)
                if let inheritance = parameter.inheritance { writer.member("inherit", inheritance.text) }
                if isOptional == nil, !parameter.isFixed {
                    writer.key("from")
                    if parameter.otherKeys.isEmpty {
                        writer.string(parameter.key)
                    } else {
                        writer.array(parameter.keys) { $0.string($1) }
                    }
                }
                writer.member("required", isOptional.map { !$0 } ?? parameter.isRequired)
                if parameter.take != .next { writer.member("take", parameter.take.rawValue) }
                writer.member("expected", parameter.type.expectation)
                if let value = parameter.defaultValue { writer.member("default", value) }
                if let value = parameter.fixedValue { writer.member("value", value) }
                if parameter.ignoresInvalid { writer.member("invalid", "ignore") }
                if let separator = parameter.separator {
                    writer.member("separator", String(decoding: [separator], as: UTF8.self))
                }
                writeConstraints(of: parameter.type, to: &writer)
            }
        }
    }

    /// Returns the parameters without the one that `link` replaces.
    private static func declared(_ parameters: [Parameter], of route: Route) -> [Parameter] {
        parameters.filter { $0 !== route.link }
    }

    private func writeConstraints(of type: ParameterType, to writer: inout JSONWriter) {
        switch type {
        case .scalar(.string(let min, let max, _)), .scalar(.int(let min, let max)), .list(_, let min, let max):
            writeBounds(min.map { .int($0) }, max: max.map { .int($0) }, to: &writer)
        case .scalar(.double(let min, let max)):
            writeBounds(min.map { .double($0) }, max: max.map { .double($0) }, to: &writer)
        case .scalar(.enumeration), .scalar(.bool), .scalar(.uuid), .scalar(.date), .scalar(.dateTime): break
        case .object(let fields):
            writer.key("fields")
            write(fields, in: nil, to: &writer)
        }
        switch type {
        case .scalar(.string(_, _, let pattern)), .list(of: .string(_, _, let pattern), _, _):
            writer.member("pattern", ifPresent: pattern?.source)
        case .scalar(.enumeration(let words)), .list(of: .enumeration(let words), _, _):
            writer.member("values", texts: words.list)
        case .scalar, .list, .object: break
        }
    }

    private func writeBounds(_ min: ParameterValue?, max: ParameterValue?, to writer: inout JSONWriter) {
        if let min { writer.member("min", min) }
        if let max { writer.member("max", max) }
    }

    /// Writes edges, omitting members that equal the members of their route.
    private func write(_ edges: Range<Int>, to writer: inout JSONWriter) {
        writer.array(edges.map { catalog.edges[$0] }) { writer, edge in
            let route = catalog.routes[edge.child]
            writer.object { writer in
                writer.member("route", route.name)
                writer.member("presentation", edge.presentation.name)
                if edge.address != route.address || edge.aliases != route.aliases {
                    write(edge.address, aliases: edge.aliases, isOverride: true, to: &writer)
                }
                if edge.parameters != route.parameters {
                    writer.key("parameters")
                    write(Self.declared(edge.parameters, of: route), in: edge.address, to: &writer)
                }
                if edge.authorizationLevel != route.authorizationLevel {
                    writer.member("authorizationLevel", catalog.levels.text(of: edge.authorizationLevel))
                }
                if edge.requirements.grants != route.requirements.grants {
                    write(edge.requirements.grants, to: &writer)
                }
                if edge.requirements.since != route.requirements.since {
                    writer.key("since")
                    writer.requiredApps(edge.requirements.since, in: catalog.apps)
                }
                if let app = edge.app, app != route.app { writer.member("app", catalog.apps.name(of: app)) }
                if edge.isInitial { writer.member("initial", true) }
                if !edge.isLinkable { writer.member("linkable", false) }
                if namesGroups { writer.member("group", ifPresent: edge.group) }
                write(edge.location, to: &writer)
            }
        }
    }

    /// Writes the grants that a route or an edge requires.
    private func write(_ grants: GrantSet, to writer: inout JSONWriter) {
        writer.member("requires", texts: catalog.grants.texts(of: grants))
    }

    /// Writes the location of a declaration, with its file if that isn't the catalog's own.
    private func write(_ location: SourceLocation, to writer: inout JSONWriter) {
        writer.member("location") { writer in
            writer.member("file", ifPresent: catalog.includedFiles.name(at: location))
            writer.member("line", location.line)
            writer.member("column", location.column)
        }
    }
}
