import DeepLinkCore

/// One route with the names that it has in code.
struct NamedRoute {
    /// The name in the catalog.
    let name: String

    /// The name in code.
    let identifier: String

    /// What the catalog says of it.
    let description: String?

    /// Its parameters, those of every edge that leads to it.
    let parameters: [NamedParameter]

    /// In what ways it opens, where the parameters are not the same in all: what a plan has then.
    let ways: [String]

    /// The name of the type of its values.
    var payload: String { identifier.prefix(1).uppercased() + identifier.dropFirst() + "Parameters" }
}

/// One parameter, or one field of an object, with the names that it has in code.
struct NamedParameter {
    /// The name in the catalog and in plans.
    let name: String

    /// The name in code.
    let identifier: String

    let type: NamedType

    /// Whether every plan has a value of it.
    let isAlwaysThere: Bool

    /// The value of a link that says none, where all edges have the same.
    let defaultValue: ParameterValue?
}

/// The type of a parameter, with the names that it has in code.
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
