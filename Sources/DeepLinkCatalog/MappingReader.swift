import DeepLinkCore
import Yams

/// Reads one YAML mapping whose keys are known, and reports every other key.
struct MappingReader {
    private let log: IssueLog
    private var values: [String: Node] = [:]

    /// Where the mapping begins.
    let mark: Mark?

    /// Opens a node as a mapping; an empty value is an empty mapping.
    ///
    /// `subject` says what the mapping describes, for messages: "the route `login`"; `keys` are those that mean
    /// something there.
    init(_ node: Node, subject: String, keys: [String], log: IssueLog) {
        self.log = log
        mark = node.mark
        for (key, value) in Self.pairs(of: node, subject: subject, log: log) {
            if keys.contains(key.value) {
                values[key.value] = value
                continue
            }
            log.report(
                .unknownKey,
                at: key.mark,
                "`\(key.value)` is no key of \(subject).",
                hint: Spelling.hint(for: key.value, among: keys, otherwise: "Keys are \(keys.joined(separator: ", ")).")
            )
        }
    }

    /// Lists the pairs of a mapping whose keys are free, without those that are reported already.
    static func pairs(of node: Node, subject: String, log: IssueLog) -> [(
        key: (value: String, mark: Mark?), value: Node
    )] {
        if node.isNull { return [] }
        guard case .mapping(let mapping) = node else {
            log.report(
                .wrongType,
                at: node.mark,
                "\(subject.firstLetterUppercased) is \(node.kindInWords).",
                hint: "Write a mapping: `key: value`."
            )
            return []
        }
        return mapping.compactMap { key, value in
            guard let text = key.scalar?.string, !log.isReported(text) else { return nil }
            return ((text, key.mark), value)
        }
    }

    /// The value of a key; `nil` where the mapping does not have it.
    subscript(key: String) -> Node? { values[key] }

    /// The text of a key's value.
    func string(_ key: String) -> String? {
        values[key].flatMap { string($0, "`\(key)`") }
    }

    /// The text of a key's value, with its place.
    func locatedString(_ key: String) -> Located<String>? {
        values[key]
            .flatMap { node in
                string(node, "`\(key)`").map { Located($0, at: log.location(node.mark)) }
            }
    }

    /// The truth value of a key.
    func bool(_ key: String) -> Bool? {
        guard let node = values[key] else { return nil }
        switch node.scalar?.string {
        case "true": return true
        case "false": return false
        default:
            log.report(
                .wrongType,
                at: node.mark,
                "`\(key)` is neither true nor false.",
                hint: "Write `true` or `false`."
            )
            return nil
        }
    }

    /// The texts of a key's list.
    func strings(_ key: String) -> [Located<String>]? {
        guard let node = values[key] else { return nil }
        guard case .sequence(let items) = node else {
            log.report(.wrongType, at: node.mark, "`\(key)` is \(node.kindInWords).", hint: "Write a list: `[a, b]`.")
            return nil
        }
        return items.compactMap { item in
            string(item, "An item of `\(key)`").map { Located($0, at: log.location(item.mark)) }
        }
    }

    /// The authorization level that a key names.
    func level(_ key: String) -> AuthorizationLevel? {
        guard let node = values[key], let name = string(node, "`\(key)`") else { return nil }
        if let level = AuthorizationLevel(name: name) { return level }
        let names = AuthorizationLevel.allCases.map(\.name)
        log.report(
            .invalidValue,
            at: node.mark,
            "`\(name)` is no authorization level.",
            hint: Spelling.hint(for: name, among: names, otherwise: "Levels are \(names.joined(separator: ", ")).")
        )
        return nil
    }

    private func string(_ node: Node, _ subject: String) -> String? {
        if let text = node.scalar?.string, !node.isNull { return text }
        log.report(.wrongType, at: node.mark, "\(subject) is \(node.kindInWords).", hint: "Write a text.")
        return nil
    }
}
