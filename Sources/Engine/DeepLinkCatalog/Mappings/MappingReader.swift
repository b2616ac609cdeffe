import DeepLinkCore

/// A YAML mapping with a fixed set of keys.
///
/// Every other key is reported.
struct MappingReader {
    /// The log for issues.
    private(set) var log: IssueLog

    /// The thing that the mapping describes, for messages: "the route `login`".
    let subject: String

    private var values: [ByteText: YAMLNode] = [:]

    /// The mark at which the mapping begins.
    let mark: YAMLMark

    /// Opens a node as a mapping.
    ///
    /// A key without a value is reported, like any other value that isn't a mapping.
    ///
    /// - Parameters:
    ///   - node: The value to open.
    ///   - subject: The thing that the mapping describes.
    ///   - keys: The supported keys.
    ///   - log: The log for issues.
    init(_ node: YAMLNode, subject: String, keys: [String], log: IssueLog) {
        self.log = log
        self.subject = subject
        mark = node.mark
        for (key, value) in Self.pairs(of: node, subject: subject, log: log) {
            if keys.contains(where: { $0.bytewise == key.value.bytewise }) {
                values[key.value.bytewise] = value
                continue
            }
            log.report(
                .unknownKey,
                at: key.mark,
                message: "`\(key.value)` isn't a key of \(subject).",
                hint: SpellingSuggestion.hint(for: key.value, among: keys, listing: "Keys are")
            )
        }
    }

    /// Returns the same mapping with another log for the issues of its values.
    func logging(to log: IssueLog) -> MappingReader {
        var copy = self
        copy.log = log
        return copy
    }

    /// Returns the locations of a mapping's keys, and of the names below some of them.
    static func keyLocations(of node: YAMLNode, log: IssueLog, naming named: [DeclaredKey] = []) -> KeyLocations {
        guard let pairs = node.pairs, !pairs.isEmpty else { return .none }
        var locations = KeyLocations(file: log.location(nil).file)
        for pair in pairs {
            guard let key = DeclaredKey(bytewise: pair.key) else { continue }
            locations.add(key, line: pair.mark.line, column: pair.mark.column)
            guard named.contains(key) else { continue }
            for item in pair.value.pairs ?? [] {
                locations.add(key, named: item.key.bytewise, line: item.mark.line, column: item.mark.column)
            }
        }
        return locations
    }

    /// Returns the pairs of a mapping with arbitrary keys.
    static func pairs(of node: YAMLNode, subject: String, log: IssueLog) -> [(
        key: (value: String, mark: YAMLMark?), value: YAMLNode
    )] {
        guard let pairs = node.pairs else {
            log.reportKind(
                of: node,
                subject: subject.firstLetterUppercased,
                // A truncated file, or a forgotten line, must not leave the defaults in force.
                hint: node.isNull
                    ? "Write `{}` for an empty mapping, or indent the lines that belong here."
                    : "Write a mapping: `key: value`."
            )
            return []
        }
        return pairs.map { (($0.key, $0.mark), $0.value) }
    }

    /// The value of a key, or `nil` if the mapping doesn't have the key.
    subscript(key: String) -> YAMLNode? { values[key.bytewise] }

    /// Reports a required key that the mapping doesn't have.
    func require(_ key: String, hint: @autoclosure () -> String) {
        guard self[key] == nil else { return }
        log.report(.missingKey, at: mark, message: "\(subject.firstLetterUppercased) has no `\(key)`.", hint: hint())
    }

    /// Returns the text of a key's value.
    func string(_ key: String) -> String? {
        self[key].flatMap { string($0, subject: "`\(key)`") }
    }

    /// Returns the text of a key's value, with its location.
    func locatedString(_ key: String) -> Located<String>? {
        self[key].flatMap { located($0, subject: "`\(key)`") }
    }

    /// Returns the value that a key's text stands for.
    ///
    /// A text that `parse` doesn't accept is reported: it isn't `noun`.
    func value<Value>(
        _ key: String,
        as noun: String,
        or code: CatalogIssue.Code = .invalidValue,
        hint: @autoclosure () -> String,
        parse: (String) -> Value?
    ) -> Located<Value>? {
        guard let text = locatedString(key) else { return nil }
        if let value = parse(text.value) { return Located(value, at: text.location) }
        log.report(code, at: text.location, message: "`\(text.value)` isn't \(noun).", hint: hint())
        return nil
    }

    /// Returns the Boolean of a key.
    func bool(_ key: String) -> Bool? {
        guard let node = self[key] else { return nil }
        switch node.text?.bytewise {
        case "true": return true
        case "false": return false
        default:
            log.report(
                .wrongType,
                at: node.mark,
                message: "`\(key)` is neither true nor false.",
                hint: "Write `true` or `false`."
            )
            return nil
        }
    }

    /// Returns the texts of a key's list.
    func strings(_ key: String) -> [Located<String>]? {
        guard let node = self[key] else { return nil }
        return log.items(of: node, subject: "`\(key)`", hint: "Write a list: `[a, b]`.")?
            .compactMap { located($0, subject: "An item of `\(key)`") }
    }

    private func located(_ node: YAMLNode, subject: String) -> Located<String>? {
        string(node, subject: subject).map { Located($0, at: log.location(node.mark)) }
    }

    private func string(_ node: YAMLNode, subject: String) -> String? {
        log.text(
            of: node,
            subject: subject,
            hint: node.unquotedParameter.map { "Quote it: `\"{\($0)}\"`; without quotes, braces are a mapping." }
                ?? "Write a text."
        )
    }
}

extension SpellingSuggestion {
    /// Returns a hint that asks for the closest name or, if none is close, lists all of them after "Names are".
    static func hint(for word: String, among names: [String], listing introduction: String) -> String {
        hint(for: word, among: names, otherwise: "\(introduction) \(names.joined(separator: ", ")).")
    }
}
