package import DeepLinkCore
import DeepLinkFormats

/// The fingerprint of a catalog for a shape: the part that decides whether links of the shape resolve.
///
/// It makes the check of stored links cheap. If two catalogs have the same fingerprint for a shape, its links do not
/// need to be read.
package enum CatalogFingerprint {
    /// Returns the fingerprint of a catalog for a shape, or 0 if the catalog lacks links of the shape.
    ///
    /// Stores save it. Another version of the program may compute other values, and then each link is checked once
    /// again.
    ///
    /// - Complexity: Linear in the edges of the nodes that links of the shape pass.
    package static func digest(of shape: ShortLinkShape, in catalog: RouteCatalog) -> Int64 {
        guard let stack = shape.destinations, !stack.isEmpty, let edges = catalog.decidingEdges(of: stack) else {
            return 0
        }
        var writer = JSONWriter()
        let body = CatalogBody(catalog)
        writer.object { writer in
            writer.key("origins")
            body.write(catalog.origins, to: &writer)
            writer.member("plusIsSpace", catalog.plusIsSpace)
            writer.member("edges", array: edges) { writer, edge in body.write(edge, to: &writer) }
        }
        // FNV-1a (RFC 9923).
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in writer.bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return Int64(bitPattern: hash)
    }
}

extension CatalogBody {
    /// Writes the properties of an edge that affect how links resolve.
    fileprivate func write(_ edge: Edge, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("from")
            writer.string(edge.parent < catalog.routes.count ? catalog.routes[edge.parent].name : nil)
            writer.member("route", catalog.routes[edge.child].name)
            writer.member("presentation", edge.presentation.name)
            write(edge.address, aliases: edge.aliases, isOverride: true, to: &writer)
            writer.key("parameters")
            write(edge.parameters, in: edge.address, to: &writer)
            writer.member("initial", edge.isInitial)
            writer.member("linkable", edge.isLinkable)
            writer.member("link", edge.linkParameter != nil)
            // A link may end on a container that opens nothing.
            writer.member("leaf", catalog.routes[edge.child].opens.isEmpty)
        }
    }
}
