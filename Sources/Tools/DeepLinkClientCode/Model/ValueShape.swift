import DeepLinkCore

/// The type of a parameter in code: the catalog's type without its bounds.
indirect enum ValueShape: Equatable, Sendable {
    case text
    case int(isSafe: Bool)
    case double
    case bool
    case uuid
    case date
    case dateTime
    case words([String])
    case list(ValueShape)
    case object([FieldShape])

    /// Values of different kinds without a common type.
    case any

    /// The range of integers that JavaScript's numbers represent exactly (ECMA-262 §21.1.2.6).
    private static let safeIntegers: ClosedRange<Int64> = -9_007_199_254_740_991...9_007_199_254_740_991

    init(_ type: ScalarType) {
        self =
            switch type {
            case .string: .text
            case .int(let min, let max):
                .int(isSafe: [min, max].allSatisfy { $0.map(Self.safeIntegers.contains) == true })
            case .double: .double
            case .bool: .bool
            case .uuid: .uuid
            case .date: .date
            case .dateTime: .dateTime
            case .enumeration(let words): .words(words.list)
            }
    }

    init(_ type: ParameterType) {
        self =
            switch type {
            case .scalar(let type): ValueShape(type)
            case .list(let type, _, _): .list(ValueShape(type))
            case .object(let fields): .object(fields.map(FieldShape.init))
            }
    }

    /// Whether a value is a text in JSON.
    private var isText: Bool {
        switch self {
        case .text, .uuid, .date, .dateTime, .words: true
        default: false
        }
    }

    /// Returns a type for the values of both, or `nil` if they don't have a common one.
    func union(_ other: ValueShape) -> ValueShape? {
        switch (self, other) {
        case _ where self == other: self
        case (.any, _), (_, .any): .any
        case (.words(let words), .words(let others)):
            .words(others.reduce(into: words) { if !$0.contains(bytes: $1) { $0.append($1) } })
        case _ where isText && other.isText: .text
        case (.int(let isSafe), .int(let isOtherSafe)): .int(isSafe: isSafe && isOtherSafe)
        case (.int, .double), (.double, .int): .double
        case (.list(let element), .list(let otherElement)): element.union(otherElement).map { .list($0) }
        case (.object(let fields), .object(let others)): FieldShape.union(fields, others: others).map { .object($0) }
        default: nil
        }
    }
}

/// One field of an object, or one parameter on one edge.
struct FieldShape: Equatable, Sendable {
    let name: String
    let type: ValueShape
    let isAlwaysThere: Bool

    init(name: String, type: ValueShape, isAlwaysThere: Bool) {
        self.name = name
        self.type = type
        self.isAlwaysThere = isAlwaysThere
    }

    init(_ parameter: Parameter) {
        self.init(
            name: parameter.name,
            type: ValueShape(parameter.type),
            isAlwaysThere: parameter.isRequired || parameter.defaultValue != nil
        )
    }

    /// Returns the merged fields of two objects with one name, or `nil` if a field has two types.
    static func union(_ fields: [FieldShape], others: [FieldShape]) -> [FieldShape]? {
        var union: [FieldShape] = []
        let names = (fields + others).map(\.name)
            .reduce(into: [String]()) { if !$0.contains(bytes: $1) { $0.append($1) } }
        for name in names {
            let one = fields.first { $0.name.bytewise == name.bytewise }
            let two = others.first { $0.name.bytewise == name.bytewise }
            guard let type = one.map({ one in two.map { one.type.union($0.type) } ?? one.type }) ?? two?.type else {
                return nil
            }
            let isAlwaysThere = one?.isAlwaysThere == true && two?.isAlwaysThere == true
            union.append(FieldShape(name: name, type: type, isAlwaysThere: isAlwaysThere))
        }
        return union
    }
}

extension [String] {
    func contains(bytes text: String) -> Bool { contains { $0.bytewise == text.bytewise } }
}
