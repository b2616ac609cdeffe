import DeepLinkCore

/// How a language with named types writes the types of parameters, and values of them.
struct ValueSyntax: Sendable {
    /// The types that the language and its runtime have.
    let text, int, double, bool, any, uuid, date, dateTime: String

    /// The type of a list of some type.
    let list: @Sendable (_ element: String) -> String

    /// A text.
    let quoted: @Sendable (String) -> String

    /// A whole number.
    let integer: @Sendable (Int) -> String

    /// One word of an enumeration.
    let word: @Sendable (_ type: String, _ identifier: String) -> String

    /// The type of a parameter.
    func type(of member: NamedParameter) -> String { name(of: member.type) + (member.isAlwaysThere ? "" : "?") }

    /// The name of a type.
    func name(of type: NamedType) -> String {
        switch type {
        case .text: text
        case .int: int
        case .double: double
        case .bool: bool
        case .any: any
        case .uuid: uuid
        case .date: date
        case .dateTime: dateTime
        case .words(let name, _), .object(let name, _): name
        case .list(let element): list(name(of: element))
        }
    }

    /// What follows the type of an argument that need not be given: ` = ` and its value; nothing where it must be.
    func fallback(of member: NamedParameter, absent: String) -> String {
        guard member.isAlwaysThere else { return " = \(absent)" }
        return member.defaultValue.flatMap { literal(of: $0, member.type) }.map { " = " + $0 } ?? ""
    }

    private func literal(of value: ParameterValue, _ type: NamedType) -> String? {
        switch (value, type) {
        case (.string(let text), .text): quoted(text)
        case (.string(let text), .words(let name, let words)):
            words.first { $0.word.bytewise == text.bytewise }.map { word(name, $0.identifier) }
        case (.string(let text), .uuid), (.string(let text), .date), (.string(let text), .dateTime):
            "\(name(of: type))(\(quoted(text)))"
        case (.int(let number), .int): integer(number)
        case (.int(let number), .double): "\(number).0"
        case (.double(let number), .double): "\(number)"
        case (.bool(let flag), .bool): "\(flag)"
        default: nil
        }
    }
}

extension ValueSyntax {
    /// The syntax of Swift.
    static let swift = ValueSyntax(
        text: "String",
        int: "Int",
        double: "Double",
        bool: "Bool",
        any: "JSONValue",
        uuid: "WaymarkUUID",
        date: "WaymarkDate",
        dateTime: "WaymarkDateTime",
        list: { "[\($0)]" },
        quoted: TextLiteral.swift,
        integer: { String($0) },
        word: { ".\($1)" }
    )

    /// The syntax of Kotlin, which has no literal of the least number.
    static let kotlin = ValueSyntax(
        text: "String",
        int: "Long",
        double: "Double",
        bool: "Boolean",
        any: "Any",
        uuid: "WaymarkUuid",
        date: "WaymarkDate",
        dateTime: "WaymarkDateTime",
        list: { "List<\($0)>" },
        quoted: TextLiteral.kotlin,
        integer: { $0 == .min ? "Long.MIN_VALUE" : "\($0)L" },
        word: { "\($0).\($1)" }
    )
}
