import DeepLinkCore

/// One route with its names in code.
struct NamedRoute {
    /// The name in the catalog.
    let name: String

    /// The name in code.
    let identifier: String

    /// The description in the catalog.
    let description: String?

    /// Its parameters, from every edge that leads to it.
    let parameters: [NamedParameter]

    /// The parameters of a plan for each way to the route, if they differ.
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

    /// The default value, if all edges have the same.
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
    /// The class that the type makes, with its members; `nil` if it makes none.
    var nested: (name: String, members: [NamedParameter])? {
        switch self {
        case .words(let name, _): (name, [])
        case .object(let name, let members): (name, members)
        case .list(let element): element.nested
        case .text, .int, .double, .bool, .uuid, .date, .dateTime, .any: nil
        }
    }
}
