package import DeepLinkCore

/// Shows a whole catalog.
package struct CatalogBody: WireBody {
    private let catalog: RouteCatalog

    /// Wraps a catalog.
    package init(_ catalog: RouteCatalog) {
        self.catalog = catalog
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("catalogVersion")
            writer.string(catalog.version)
            writer.key("origins")
            writer.array(catalog.origins) { writer, origin in
                writer.object { writer in
                    writer.key("scheme")
                    writer.string(origin.scheme)
                    writer.key("authority")
                    writer.string(origin.authority.rawValue)
                    writer.key("hosts")
                    writer.array(origin.hosts) { $0.string($1) }
                    guard !origin.pathPrefix.isEmpty else { return }
                    writer.key("pathPrefix")
                    writer.string("/" + origin.pathPrefix.joined(separator: "/"))
                }
            }
            writer.key("plusIsSpace")
            writer.value(.bool(catalog.plusIsSpace))
            writer.key("gates")
            writer.object { writer in
                for gate in catalog.gateLinks {
                    writer.key(gate.level.name)
                    writer.string(gate.link)
                }
            }
            writer.key("entry")
            write(catalog.entry, to: &writer)
            writer.key("routes")
            writer.array(catalog.routes) { writer, route in write(route, to: &writer) }
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
            write(route.address, route.aliases, to: &writer)
            writer.key("parameters")
            write(route.parameters, to: &writer)
            writer.key("authorizationLevel")
            writer.string(route.authorizationLevel.name)
            writer.key("opens")
            write(route.opens, to: &writer)
        }
    }

    private func write(_ address: RouteAddress, _ aliases: [PathPattern], to writer: inout JSONWriter) {
        switch address {
        case .path(let pattern):
            writer.key("path")
            writer.string(pattern.text)
        case .query(let key):
            writer.key("query")
            writer.string(key)
        }
        guard !aliases.isEmpty else { return }
        writer.key("aliases")
        writer.array(aliases) { $0.string($1.text) }
    }

    private func write(_ parameters: [Parameter], to writer: inout JSONWriter) {
        writer.array(parameters) { writer, parameter in
            writer.object { writer in
                writer.key("name")
                writer.string(parameter.name)
                writer.key("type")
                writer.string(parameter.type.name)
                writer.key("from")
                writer.string(parameter.key)
                writer.key("required")
                writer.value(.bool(parameter.isRequired))
                if parameter.take != .next {
                    writer.key("take")
                    writer.string(parameter.take.rawValue)
                }
                writer.key("expected")
                writer.string(parameter.type.expectation)
                if let value = parameter.defaultValue {
                    writer.key("default")
                    writer.value(value)
                }
                guard case .object(let fields) = parameter.type else { return }
                writer.key("fields")
                write(fields, to: &writer)
            }
        }
    }

    /// Writes edges; what they have in common with their route is left out.
    private func write(_ edges: Range<Int>, to writer: inout JSONWriter) {
        writer.array(edges.map { catalog.edges[$0] }) { writer, edge in
            let route = catalog.routes[edge.child]
            writer.object { writer in
                writer.key("route")
                writer.string(route.name)
                writer.key("presentation")
                writer.string(edge.presentation.name)
                if edge.address != route.address || edge.aliases != route.aliases {
                    write(edge.address, edge.aliases, to: &writer)
                }
                if edge.parameters != route.parameters {
                    writer.key("parameters")
                    write(edge.parameters, to: &writer)
                }
                if edge.authorizationLevel != route.authorizationLevel {
                    writer.key("authorizationLevel")
                    writer.string(edge.authorizationLevel.name)
                }
                for (name, value, usual) in [
                    ("initial", edge.isInitial, false), ("linkable", edge.isLinkable, true),
                ] where value != usual {
                    writer.key(name)
                    writer.value(.bool(value))
                }
            }
        }
    }
}
