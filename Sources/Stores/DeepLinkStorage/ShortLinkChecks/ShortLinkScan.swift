package import DeepLinkCore
import DeepLinkFormats

/// A scan of all current links of one shape, in batches, so that other writers can run in between.
package struct ShortLinkScan: Sendable {
    /// The maximum number of links in a batch.
    private static let sliceSize = 500

    /// The time a server's pass rests, as a multiple of the time it works.
    ///
    /// Requests and other passes run meanwhile.
    private static let pauseRatio = 3

    private let store: any ShortLinkStore

    /// Whether a server answers requests at the same time, so that the pass rests.
    private let isServing: Bool

    /// Returns the current time.
    private let now: @Sendable () -> Timestamp

    /// Creates a scan.
    package init(_ store: any ShortLinkStore, isServing: Bool, now: @Sendable @escaping () -> Timestamp) {
        self.store = store
        self.isServing = isServing
        self.now = now
    }

    /// Passes the links of a shape that have neither expired nor been withdrawn to a closure, batch by batch.
    ///
    /// The closure returns whether to continue.
    package func links(of shape: ShortLinkShape, _ slice: ([ShortLink]) async throws -> Bool) async throws {
        let filter = ShortLinkFilter(shapes: [shape], storedState: .current(at: now()))
        var position: ShortLinkPosition?
        repeat {
            let start = ContinuousClock.now
            let page = try await store.shortLinks(filter, after: position, limit: Self.sliceSize)
            guard try await slice(page.links) else { return }
            position = page.next
            if isServing { try await Task.sleep(for: (ContinuousClock.now - start) * Self.pauseRatio) }
        } while position != nil
    }

    /// Counts by route the short links that one catalog resolves and another does not.
    ///
    /// Only shapes for which the catalogs differ are read.
    ///
    /// - Complexity: Linear in the links of these shapes, times two resolutions.
    package func breaks(from old: RouteCatalog, to new: RouteCatalog) async throws -> [ShortLinkBreak] {
        guard old.hasShortLinks, new.hasShortLinks else { return [] }
        var breaks: [ByteText: ShortLinkBreak] = [:]
        for shape in try await store.shapeCounts().map(\.shape)
        where CatalogFingerprint.digest(of: shape, in: old) != CatalogFingerprint.digest(of: shape, in: new) {
            try await links(of: shape) { links in
                let time = now()
                for link in links {
                    guard case .working(let target) = ShortLinkState(of: link.contents, at: time, in: old),
                        case .broken = ShortLinkState(of: link.contents, at: time, in: new)
                    else { continue }
                    let known = breaks[shape.route.bytewise]
                    breaks[shape.route.bytewise] = ShortLinkBreak(
                        route: shape.route,
                        count: (known?.count ?? 0) + 1,
                        target: known?.target ?? target.text
                    )
                }
                return true
            }
        }
        return breaks.values.sorted { $0.route.bytewise < $1.route.bytewise }
    }
}

/// The short links of a route that a change of the catalog breaks.
package struct ShortLinkBreak: Hashable, Sendable {
    /// The name of the route.
    package let route: String

    /// The number of broken links.
    package let count: Int

    /// The target of one of them.
    package let target: String
}
