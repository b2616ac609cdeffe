import DeepLinkCore

/// One route with its names in code.
struct NamedRoute {
    /// The name in the catalog.
    let name: String

    /// The name in code.
    let identifier: String

    /// The description in the catalog.
    let description: String?

    /// Its parameters, from all edges to the route.
    let parameters: [NamedParameter]

    /// The parameters of a plan for each edge to the route, if they differ.
    let ways: [String]

    /// The name of the type of its values.
    var payload: String { identifier.prefix(1).uppercased() + identifier.dropFirst() + "Parameters" }
}

/// One parameter, or one field of an object, with its names in code.
struct NamedParameter {
    /// The name in the catalog and in plans.
    let name: String

    /// The name in code.
    let identifier: String

    let type: NamedType

    /// Whether every plan has a value for it.
    let isAlwaysThere: Bool

    /// The default value, if it is the same for all edges.
    let defaultValue: ParameterValue?
}

/// The type of a parameter, with its names in code.
indirect enum NamedType {
    case text
    case int(isSafe: Bool)
    case double
    case bool
    case uuid
    case date
    case dateTime
    case words(name: String, [NamedWord])
    case list(NamedType)
    case object(name: String, [NamedParameter])
    case any
}

/// One word of an enumeration.
struct NamedWord {
    let word: String
    let identifier: String
}

extension NamedType {
    /// The generated class of the type, with its members, or `nil` if it doesn't have one.
    var nested: (name: String, members: [NamedParameter])? {
        switch self {
        case .words(let name, _): (name, [])
        case .object(let name, let members): (name, members)
        case .list(let element): element.nested
        case .text, .int, .double, .bool, .uuid, .date, .dateTime, .any: nil
        }
    }
}

/// The levels and the grants that a catalog declares, with their names in code.
struct NamedPermissions {
    /// The levels, lowest first, or an empty list if the catalog declares none, so that its code stays the same.
    let levels: [NamedWord]

    /// The grants, in the order of the catalog.
    let grants: [NamedWord]

    /// Names the levels and grants of a catalog.
    ///
    /// In `--rename`, the path of a level is `levels.` and its name, and the path of a grant is `grants.` and its name.
    init(of catalog: RouteCatalog, rules: NamingRules, namer: inout Namer) {
        let file = (catalog.keys[.entry] ?? catalog.routes.first?.location)?.file ?? ""
        func named(_ names: [String], kind: String) -> [NamedWord] {
            var scope = Namer.Scope(kind: kind, rules.words)
            return names.map { name in
                let identifier = namer.name(
                    name,
                    path: "\(kind)s.\(name)",
                    at: SourceLocation(file: file, line: 1, column: 1),
                    in: &scope
                )
                return NamedWord(word: name, identifier: identifier)
            }
        }
        levels = catalog.levels.isDeclared ? named(catalog.levels.names.map(\.text), kind: "level") : []
        grants = named(catalog.grants.names.map(\.text), kind: "grant")
    }
}
