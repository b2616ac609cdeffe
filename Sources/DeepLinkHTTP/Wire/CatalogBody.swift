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
                    writer.key("hosts")
                    writer.array(origin.hosts) { $0.string($1) }
                }
            }
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
            switch route.address {
            case .path(let pattern):
                writer.key("path")
                writer.string(pattern.text)
            case .query(let key):
                writer.key("query")
                writer.string(key)
            }
            writer.key("parameters")
            writer.array(route.parameters) { writer, parameter in write(parameter, to: &writer) }
            writer.key("authorizationLevel")
            writer.string(route.authorizationLevel.name)
            writer.key("opens")
            write(route.opens, to: &writer)
        }
    }

    private func write(_ parameter: Parameter, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("name")
            writer.string(parameter.name)
            writer.key("type")
            writer.string(parameter.type.name)
            writer.key("from")
            writer.string(parameter.key)
            writer.key("required")
            writer.value(.bool(parameter.isRequired))
            writer.key("expected")
            writer.string(parameter.type.expectation)
            guard let value = parameter.defaultValue else { return }
            writer.key("default")
            writer.value(value)
        }
    }

    private func write(_ edges: Range<Int>, to writer: inout JSONWriter) {
        writer.array(edges.map { catalog.edges[$0] }) { writer, edge in
            writer.object { writer in
                writer.key("route")
                writer.string(catalog.routes[edge.child].name)
                writer.key("presentation")
                writer.string(edge.presentation.name)
                guard edge.isInitial else { return }
                writer.key("initial")
                writer.value(.bool(true))
            }
        }
    }
}
