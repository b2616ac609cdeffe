import ArgumentParser

/// Chooses how a catalog is shown.
enum CatalogFormat: String, CaseIterable, ExpressibleByArgument {
    /// A tree for people.
    case text

    /// The body of `GET /v1/catalog`.
    case json

    /// A graph for Graphviz.
    case dot
}
