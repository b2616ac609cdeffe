package import DeepLinkCore

/// The JSON form of a whole catalog.
package struct CatalogBody: WireBody {
    package let catalog: RouteCatalog

    /// Wraps a catalog.
    package init(_ catalog: RouteCatalog) {
        self.catalog = catalog
    }

    /// Writes the body as JSON.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("catalogVersion")
            writer.string(catalog.version)
            writer.key("origins")
            write(catalog.origins + catalog.shortLinkOrigins, to: &writer)
            writer.key("plusIsSpace")
            writer.value(.bool(catalog.plusIsSpace))
            writeAccess(of: catalog, to: &writer)
            write(catalog.apps, site: catalog.site, to: &writer)
            writer.key("entry")
            write(catalog.entry, to: &writer)
            writer.key("routes")
            writer.array(catalog.routes) { writer, route in write(route, to: &writer) }
        }
    }

    /// Writes the list of origins.
    package func write(_ origins: [Origin], to writer: inout JSONWriter) {
        writer.array(origins) { writer, origin in
            writer.object { writer in
                writer.key("scheme")
                writer.string(origin.scheme)
                writer.key("authority")
                writer.string(origin.authority.rawValue)
                writer.key("hosts")
                writer.array(origin.hosts) { $0.string($1) }
                if !origin.pathPrefix.isEmpty {
                    writer.key("pathPrefix")
                    writer.string("/" + origin.pathPrefix.joined(separator: "/"))
                }
                if origin.routesFragment {
                    writer.key("fragment")
                    writer.string("path")
                }
                guard origin.hasShortLinks else { return }
                writer.key("shortLinks")
                writer.value(.bool(true))
            }
        }
    }

    private func write(_ route: Route, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("name")
            writer.string(route.name)
            if let description = route.description {
                writer.key("description")
                writer.string(description)
            }
            write(route.address, aliases: route.aliases, to: &writer)
            writer.key("parameters")
            write(Self.declared(route.parameters, of: route), in: route.address, to: &writer)
            if let link = route.link {
                writer.key("link")
                writer.string(link.key)
            }
            writer.key("authorizationLevel")
            writer.string(catalog.levels.text(of: route.authorizationLevel))
            if !route.requirements.grants.isEmpty { write(route.requirements.grants, to: &writer) }
            if !route.requirements.since.isEmpty {
                writer.key("since")
                writer.requiredApps(route.requirements.since)
            }
            if route.isSigned {
                writer.key("signed")
                writer.value(.bool(true))
            }
            if let terms = route.shortLink { write(terms, to: &writer) }
            write(route.page, to: &writer)
            writer.key("opens")
            write(route.opens, to: &writer)
            write(route.location, to: &writer)
        }
    }

    private func write(_ terms: ShortLinkTerms, to writer: inout JSONWriter) {
        writer.key("shortLink")
        writer.object { writer in
            if let length = terms.length {
                writer.key("length")
                writer.number(length)
            }
            guard let life = terms.life else { return }
            writer.key("within")
            writer.string(life.text)
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
            writer.key("path")
            writer.string(pattern.text)
        case .query(let key):
            writer.key("query")
            writer.string(key)
        }
        guard isOverride || !aliases.isEmpty else { return }
        writer.key("aliases")
        writer.array(aliases) { $0.string($1.text) }
    }

    /// Writes parameters, where a path determines which of its parameters are required.
    package func write(_ parameters: [Parameter], in address: RouteAddress?, to writer: inout JSONWriter) {
        let path: PathPattern? = if case .path(let pattern)? = address { pattern } else { nil }
        writer.array(parameters) { writer, parameter in
            let isOptional = path?.isOptional(parameter: parameter.name)
            writer.object { writer in
                writer.key("name")
                writer.string(parameter.name)
                writer.key("type")
                writer.string(parameter.type.name)
                if let inheritance = parameter.inheritance {
                    writer.key("inherit")
                    writer.string(inheritance.text)
                }
                if isOptional == nil, !parameter.isFixed {
                    writer.key("from")
                    if parameter.otherKeys.isEmpty {
                        writer.string(parameter.key)
                    } else {
                        writer.array(parameter.keys) { $0.string($1) }
                    }
                }
                writer.key("required")
                writer.value(.bool(isOptional.map { !$0 } ?? parameter.isRequired))
                if parameter.take != .next {
                    writer.key("take")
                    writer.string(parameter.take.rawValue)
                }
                writer.key("expected")
                writer.string(parameter.type.expectation)
                for case (let name, let value?) in [
                    ("default", parameter.defaultValue), ("value", parameter.fixedValue),
                ] {
                    writer.key(name)
                    writer.value(value)
                }
                if parameter.ignoresInvalid {
                    writer.key("invalid")
                    writer.string("ignore")
                }
                if let separator = parameter.separator {
                    writer.key("separator")
                    writer.string(String(decoding: [separator], as: UTF8.self))
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
        case .scalar(.string(let min, let max, let pattern)):
            writeBounds(min.map { .int($0) }, max: max.map { .int($0) }, to: &writer)
            writePattern(pattern, to: &writer)
        case .scalar(.int(let min, let max)):
            writeBounds(min.map { .int($0) }, max: max.map { .int($0) }, to: &writer)
        case .scalar(.double(let min, let max)):
            writeBounds(min.map { .double($0) }, max: max.map { .double($0) }, to: &writer)
        case .scalar(.enumeration(let words)):
            writer.key("values")
            writer.array(words.list) { $0.string($1) }
        case .list(let element, let min, let max):
            writeBounds(min.map { .int($0) }, max: max.map { .int($0) }, to: &writer)
            switch element {
            case .string(_, _, let pattern): writePattern(pattern, to: &writer)
            case .enumeration(let words):
                writer.key("values")
                writer.array(words.list) { $0.string($1) }
            case .int, .double, .bool, .uuid, .date, .dateTime: break
            }
        case .object(let fields):
            writer.key("fields")
            write(fields, in: nil, to: &writer)
        case .scalar(.bool), .scalar(.uuid), .scalar(.date), .scalar(.dateTime): break
        }
    }

    private func writeBounds(_ min: ParameterValue?, max: ParameterValue?, to writer: inout JSONWriter) {
        for case (let name, let bound?) in [("min", min), ("max", max)] {
            writer.key(name)
            writer.value(bound)
        }
    }

    private func writePattern(_ pattern: TextPattern?, to writer: inout JSONWriter) {
        guard let pattern else { return }
        writer.key("pattern")
        writer.string(pattern.source)
    }

    /// Writes edges, omitting members that equal the members of their route.
    private func write(_ edges: Range<Int>, to writer: inout JSONWriter) {
        writer.array(edges.map { catalog.edges[$0] }) { writer, edge in
            let route = catalog.routes[edge.child]
            writer.object { writer in
                writer.key("route")
                writer.string(route.name)
                writer.key("presentation")
                writer.string(edge.presentation.name)
                if edge.address != route.address || edge.aliases != route.aliases {
                    write(edge.address, aliases: edge.aliases, isOverride: true, to: &writer)
                }
                if edge.parameters != route.parameters {
                    writer.key("parameters")
                    write(Self.declared(edge.parameters, of: route), in: edge.address, to: &writer)
                }
                if edge.authorizationLevel != route.authorizationLevel {
                    writer.key("authorizationLevel")
                    writer.string(catalog.levels.text(of: edge.authorizationLevel))
                }
                if edge.requirements.grants != route.requirements.grants {
                    write(edge.requirements.grants, to: &writer)
                }
                if edge.requirements.since != route.requirements.since {
                    writer.key("since")
                    writer.requiredApps(edge.requirements.since)
                }
                for (name, value, usual) in [
                    ("initial", edge.isInitial, false), ("linkable", edge.isLinkable, true),
                ] where value != usual {
                    writer.key(name)
                    writer.value(.bool(value))
                }
                write(edge.location, to: &writer)
            }
        }
    }

    /// Writes the grants that a route or an edge requires.
    private func write(_ grants: GrantSet, to writer: inout JSONWriter) {
        writer.key("requires")
        writer.array(catalog.grants.texts(of: grants)) { $0.string($1) }
    }

    /// Writes the location of a declaration in the catalog's file.
    private func write(_ location: SourceLocation, to writer: inout JSONWriter) {
        writer.key("location")
        writer.object { writer in
            writer.key("line")
            writer.number(location.line)
            writer.key("column")
            writer.number(location.column)
        }
    }
}
