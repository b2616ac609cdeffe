package import DeepLinkCore

/// The subject of a change, by the names in the catalogs.
package struct ChangeSubject: Hashable, Sendable {
    /// The name of the route.
    package var route: ByteText?

    /// The edge, as `parent > route` or `group name > route`, unless all edges to the route are meant.
    package var edge: ByteText?

    /// The parameter of the route.
    package var parameter: ByteText?

    /// The origin, as `scheme://host`.
    package var origin: ByteText?

    /// The level or the grant that a gate gives.
    package var gate: ByteText?

    /// The name of the presentation.
    package var presentation: ByteText?

    /// The parts that are set, with the names used in reports and files of accepted changes.
    package var parts: [(name: String, value: String)] {
        [
            ("route", route), ("edge", edge), ("parameter", parameter), ("origin", origin), ("gate", gate),
            ("presentation", presentation),
        ]
        .compactMap { name, value in value.map { (name, $0.string) } }
    }

    /// The subject in words, for sentences.
    var text: String {
        let what = edge ?? route ?? origin ?? gate ?? presentation
        return ([what.map { "`\($0)`" }] + [parameter.map { "its parameter `\($0)`" }]).compactMap(\.self)
            .joined(separator: ", ")
    }
}

extension ChangeSubject {
    /// Creates a subject from its parts by the names used in reports and files of accepted changes.
    package init(parts: (String) -> ByteText?) {
        self.init(
            route: parts("route"),
            edge: parts("edge"),
            parameter: parts("parameter"),
            origin: parts("origin"),
            gate: parts("gate"),
            presentation: parts("presentation")
        )
    }
}

/// The part of a catalog in which a change was made.
///
/// Findings with the same place are one change and its consequences.
struct ChangePlace: Hashable, Sendable {
    /// The declaration that contains the part.
    ///
    /// Indexes refer to the respective catalog.
    enum Owner: Hashable {
        /// The catalog itself.
        case catalog

        /// All origins of a scheme.
        case origins(ByteText)

        /// The rules by which operating systems open links in the app, derived from the whole catalog.
        case associations

        /// A route, with its index in each catalog that has it.
        case route(old: Int?, new: Int?)

        /// An edge, with its index in each catalog that has it.
        case edge(old: Int?, new: Int?)
    }

    let owner: Owner

    /// The key, or `nil` for the declaration itself.
    var key: DeclaredKey?

    /// The name below the key: a parameter, a level or a grant.
    var name: ByteText?
}
