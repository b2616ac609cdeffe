/// The edge by which a link opens a destination, and where its path segments stand.
struct EdgeMatch {
    /// Index into ``RouteCatalog/edges``.
    let edge: Int

    /// The expansion of the edge that the segments spell; `nil` where the link does not name it in its path.
    let expansion: Int?

    /// The byte offset from which the segments are read.
    let start: Int
}
