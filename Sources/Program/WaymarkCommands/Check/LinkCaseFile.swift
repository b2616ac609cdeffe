import DeepLinkCatalog
import DeepLinkCore
import DeepLinkFormats

/// A file of links: YAML or NDJSON with expected outcomes, CSV with users, or a plain list with one link per line.
enum LinkCaseFile {
    /// Reads the cases of a file, in the format of its name or else of its first line.
    ///
    /// - Throws: ``CommandError`` of code 65, naming the line at fault.
    static func read(_ bytes: [UInt8], named name: String, catalog: RouteCatalog) throws(CommandError) -> [LinkCase] {
        if isYAML(bytes, named: name) { return try yaml(bytes, named: name, catalog: catalog) }
        if hasEnding([".ndjson", ".jsonl"], name: name) || first(of: bytes)?.first == UInt8(ascii: "{") {
            return try lines(bytes, named: name, catalog: catalog)
        }
        if CSVFile.isCSV(bytes, named: name) { return try table(bytes, named: name, catalog: catalog) }
        return try list(bytes, named: name)
    }

    /// Returns whether a file is YAML, by its name or else by its beginning.
    static func isYAML(_ bytes: [UInt8], named name: String) -> Bool {
        if hasEnding([".yaml", ".yml"], name: name) { return true }
        guard !hasEnding([".ndjson", ".jsonl"], name: name), let first = first(of: bytes) else { return false }
        return first.starts(with: "- ".utf8) || first.first == UInt8(ascii: "[")
    }

    private static func hasEnding(_ endings: [String], name: String) -> Bool {
        endings.contains { name.lowercased().utf8.suffix($0.utf8.count).elementsEqual($0.utf8) }
    }

    /// The first line that isn't a comment, without leading spaces.
    private static func first(of bytes: [UInt8]) -> ArraySlice<UInt8>? {
        InputFile.lines(bytes).first { !isComment($0.line) }?.line.drop { $0 == 0x20 || $0 == 0x09 }
    }

    private static func isComment(_ line: ArraySlice<UInt8>) -> Bool {
        let first = line.first { $0 != 0x20 && $0 != 0x09 }
        return first == nil || first == UInt8(ascii: "#")
    }

    private static func list(_ bytes: [UInt8], named name: String) throws(CommandError) -> [LinkCase] {
        var cases: [LinkCase] = []
        for (number, line) in InputFile.lines(bytes) {
            guard let text = String(validating: line, as: UTF8.self) else {
                throw CommandError.badData("\(name):\(number) is not UTF-8.")
            }
            if !text.allSatisfy(\.isWhitespace), text.utf8.first != UInt8(ascii: "#") {
                cases.append(LinkCase(link: text, line: number))
            }
        }
        return cases
    }

    private static func lines(
        _ bytes: [UInt8],
        named name: String,
        catalog: RouteCatalog
    ) throws(CommandError) -> [LinkCase] {
        var cases: [LinkCase] = []
        for (number, line) in InputFile.lines(bytes) where !isComment(line) {
            let place = "\(name):\(number)"
            let value = try JSONInput.parse(Array(line), named: place)
            cases.append(try LinkCase(value, line: number, place: place, catalog: catalog))
        }
        return cases
    }

    /// Reads the cases of a CSV file from its columns `link`, `user` and `level`.
    ///
    /// Empty fields count as absent.
    private static func table(
        _ bytes: [UInt8],
        named name: String,
        catalog: RouteCatalog
    ) throws(CommandError) -> [LinkCase] {
        var table = try CSVTable(InputPieces(bytes, named: name))
        var columns = [(name: "link", index: try table.column("link"))]
        for name in ["user", "level"] {
            if let index = table.header.column(named: name) { columns.append((name, index)) }
        }
        table.tellUnread(besides: columns.map(\.index))
        var cases: [LinkCase] = []
        while let fields = try table.nextFields() {
            var members = JSONObject()
            for column in columns where !fields[column.index].isEmpty {
                members.set(.string(fields.text(at: column.index)), for: column.name.bytewise)
            }
            let place = "\(name):\(fields.line)"
            cases.append(try LinkCase(.object(members), line: fields.line, place: place, catalog: catalog))
        }
        return cases
    }

    /// Reads the cases of a YAML list, or of some of its entries from a line of the file.
    ///
    /// Without a catalog, levels and grants are ignored.
    ///
    /// - Throws: ``CommandError`` of code 65, naming the line at fault.
    static func yaml(
        _ bytes: [UInt8],
        named name: String,
        from first: Int = 1,
        catalog: RouteCatalog? = nil
    ) throws(CommandError) -> [LinkCase] {
        let root: YAMLNode?
        do throws(CatalogError) {
            root = try YAMLText.compose(bytes, file: name)
        } catch {
            let faults = error.issues.map {
                "\(name):\($0.location.line + first - 1):\($0.location.column): \($0.message) \($0.hint)"
            }
            throw CommandError.badData(faults.joined(separator: "\n"))
        }
        guard let root else { return [] }
        guard let items = root.items else {
            throw CommandError.badData("\(name) isn't a list. Write `- link: …` for each link.")
        }
        var cases: [LinkCase] = []
        for item in items {
            let line = item.mark.line + first - 1
            let value = JSONValue(item)
            if case .string(let link) = value {
                cases.append(LinkCase(link: link, line: line))
            } else {
                cases.append(try LinkCase(value, line: line, place: "\(name):\(line)", catalog: catalog))
            }
        }
        return cases
    }
}

extension JSONValue {
    /// Converts a YAML value by the core schema (YAML 1.2 §10.3.2), in which a quoted value is a string.
    fileprivate init(_ node: YAMLNode) {
        switch node.content {
        case .sequence(let items): self = .array(items.map(JSONValue.init))
        case .mapping(let pairs):
            var object = JSONObject()
            for pair in pairs { object.set(JSONValue(pair.value), for: pair.key.bytewise) }
            self = .object(object)
        case .scalar(let text, isPlain: false): self = .string(text)
        case .scalar(let text, isPlain: true):
            if node.isNull {
                self = .null
            } else if text.bytewise == "true" || text.bytewise == "false" {
                self = .bool(text.bytewise == "true")
            } else if let number = DecimalText.parseInt64(text.utf8) {
                self = .integer(number)
            } else if let number = DecimalText.parseDouble(Array(text.utf8)) {
                self = .number(number)
            } else {
                self = .string(text)
            }
        }
    }
}
