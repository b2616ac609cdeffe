package import DeepLinkCore
import DeepLinkFormats

/// A way through all links of one shape that could lead somewhere, in slices between which others have their turn.
package struct ShortLinkPass: Sendable {
    /// The most links of a slice.
    private static let sliceSize = 500

    /// The share of the time that a server's pass takes at most: requests have the rest, and other passes.
    private static let pauseRatio = 3

    /// The short links.
    private let store: any ShortLinkStore

    /// Whether a server answers requests meanwhile.
    private let isServing: Bool

    /// Returns the current time.
    private let now: @Sendable () -> Timestamp

    /// Creates a pass.
    ///
    /// - Parameters:
    ///   - store: the short links.
    ///   - isServing: whether a server answers requests meanwhile: then the pass rests for three times as long as it works.
    ///   - now: returns the current time.
    package init(_ store: any ShortLinkStore, isServing: Bool, now: @Sendable @escaping () -> Timestamp) {
        self.store = store
        self.isServing = isServing
        self.now = now
    }

    /// Hands over the links of a shape that have neither ended nor been withdrawn, slice by slice.
    ///
    /// - Parameters:
    ///   - shape: the shape.
    ///   - slice: takes the links of a slice, and returns whether the pass goes on.
    /// - Throws: an error of the store or of `slice`.
    package func links(of shape: ShortLinkShape, _ slice: ([ShortLink]) async throws -> Bool) async throws {
        let filter = ShortLinkFilter(shapes: [shape], standing: .current(at: now()))
        var position: ShortLinkPosition?
        repeat {
            let start = ContinuousClock.now
            let page = try await store.shortLinks(filter, after: position, limit: Self.sliceSize)
            guard try await slice(page.links) else { return }
            position = page.next
            if isServing { try await Task.sleep(for: (ContinuousClock.now - start) * Self.pauseRatio) }
        } while position != nil
    }

    /// Counts the short links that lead somewhere by one catalog and nowhere by another, by route.
    ///
    /// Only the shapes are looked at about which the catalogs differ.
    ///
    /// - Complexity: linear in the links of those shapes, times two resolutions.
    package func breaks(from old: RouteCatalog, to new: RouteCatalog) async throws -> [ShortLinkBreak] {
        guard old.hasShortLinks, new.hasShortLinks else { return [] }
        var breaks: [ByteText: ShortLinkBreak] = [:]
        for shape in try await store.shapeCounts().map(\.shape)
        where ShortLinkGrounds.digest(of: shape, in: old) != ShortLinkGrounds.digest(of: shape, in: new) {
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

/// The short links to a route that a change of the catalog breaks.
package struct ShortLinkBreak: Hashable, Sendable {
    /// The route.
    package let route: String

    /// The number of links.
    package let count: Int

    /// The target of one of them.
    package let target: String

    /// Creates a count.
    package init(route: String, count: Int, target: String) {
        self.route = route
        self.count = count
        self.target = target
    }
}
