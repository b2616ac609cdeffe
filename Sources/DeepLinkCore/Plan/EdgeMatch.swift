/// Says by which edge a link opens a destination, and where its path segments stand.
struct EdgeMatch {
    /// Index into ``RouteCatalog/edges``.
    let edge: Int

    /// How the segments spell the edge; `nil` where the link does not name it in its path.
    let expansion: Int?

    /// The byte offset from which the segments are read.
    let start: Int
}
