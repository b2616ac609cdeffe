import DeepLinkCore

/// The syntax of a language with named types for the types and values of parameters.
struct ValueSyntax: Sendable {
    /// The types of the language and its runtime.
    let text, int, double, bool, any, uuid, date, dateTime: String

    /// Returns the type of a list of some type.
    let list: @Sendable (_ element: String) -> String

    /// Returns a string literal.
    let quoted: @Sendable (String) -> String

    /// Returns an integer literal.
    let integer: @Sendable (Int64) -> String

    /// Returns one word of an enumeration.
    let word: @Sendable (_ type: String, _ identifier: String) -> String

    /// Returns the type of a parameter.
    func type(of member: NamedParameter) -> String { name(of: member.type) + (member.isAlwaysThere ? "" : "?") }

    /// Returns the name of a type.
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

    /// Returns the default of an optional argument as ` = ` and its value, or an empty text for a required argument.
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
        any: "WaymarkJSON",
        uuid: "WaymarkUUID",
        date: "WaymarkDate",
        dateTime: "WaymarkDateTime",
        list: { "[\($0)]" },
        quoted: TextLiteral.swift,
        integer: { String($0) },
        word: { ".\($1)" }
    )

    /// The syntax of Kotlin, in which the smallest integer cannot be written as a literal.
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
