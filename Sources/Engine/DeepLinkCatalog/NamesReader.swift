import DeepLinkCore

/// The reader of a list of names: `levels` or `grants`.
///
/// An item is a name, or a mapping with the name, its former names (`was`), and the source of its assertion
/// (`from: app`).
struct NamesReader {
    /// One declared name.
    struct Item {
        /// The present name.
        let name: Located<String>

        let formerNames: [Located<String>]

        /// The location of `from: app`, or `nil` if the key is absent.
        let fromApp: SourceLocation?
    }

    /// The supported keys.
    static let keys = ["name", "was", "from"]

    /// The noun for an item of the list, after an article: `level`, `grant`.
    let noun: String

    /// An example of an item that is a mapping.
    let example: String

    /// The issue code for a repeated name.
    let duplicate: CatalogIssue.Code

    let log: IssueLog

    /// Reads the items.
    ///
    /// An unreadable item is reported and is `nil`.
    ///
    /// - Parameters:
    ///   - items: The items of the list.
    ///   - seen: The names in use, with a noun for the things that have them.
    /// - Returns: The items in their order.
    func read(_ items: [YAMLNode], seen: [ByteText: String] = [:]) -> [Item?] {
        var seen = seen
        return items.map { item in
            let reader = item.pairs.map { _ in
                MappingReader(item, subject: "a \(noun)", keys: Self.keys, log: log)
            }
            reader?.require("name", hint: "Write `\(example)`.")
            guard let name = (reader.map { $0["name"] } ?? item).flatMap(name), isNew(name, in: &seen) else {
                return nil
            }
            return Item(
                name: name,
                formerNames: (reader.map(formerNames(of:)) ?? []).filter { isNew($0, in: &seen) },
                fromApp: reader.flatMap(source)
            )
        }
    }

    private func formerNames(of reader: MappingReader) -> [Located<String>] {
        guard let node = reader["was"] else { return [] }
        return (node.items ?? [node]).compactMap(name)
    }

    private func name(_ node: YAMLNode) -> Located<String>? {
        let hint = "Write a name, or `\(example)`."
        guard let text = log.text(of: node, subject: "The name of a \(noun)", hint: hint) else { return nil }
        if LevelName(text) != nil { return Located(text, at: log.location(node.mark)) }
        log.report(
            .invalidValue,
            at: node.mark,
            message: text.isEmpty ? "The name of a \(noun) is empty." : "`\(text)` isn't the name of a \(noun).",
            hint: "A name is \(LevelName.form)."
        )
        return nil
    }

    /// Returns the location of `from: app`.
    private func source(_ reader: MappingReader) -> SourceLocation? {
        reader.value(
            "from",
            as: "a source of a \(noun)",
            hint: "Write `from: app` for a \(noun) that the app asserts; leave `from` out for one that is stored.",
            parse: { $0.bytewise == "app" ? $0 : nil }
        )?
        .location
    }

    private func isNew(_ name: Located<String>, in seen: inout [ByteText: String]) -> Bool {
        guard let other = seen.updateValue(noun, forKey: name.value.bytewise) else { return true }
        log.report(
            duplicate,
            at: name.location,
            message: other == noun
                ? "There is a second \(noun) `\(name.value)`."
                : "The \(noun) `\(name.value)` has the name of a \(other).",
            hint: other == noun
                ? "Every \(noun) has a name of its own, and no other has it as its former name (`was`)."
                : "Levels and grants share their names: `gates` has one gate for each; give the \(noun) another name."
        )
        return false
    }
}
