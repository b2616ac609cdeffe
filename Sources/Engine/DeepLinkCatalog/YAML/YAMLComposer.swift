package import DeepLinkCore

/// The parser from YAML text to a tree, with a report of YAML features that catalogs don't allow.
///
/// Every cost is linear in the text and in the expansion of its aliases. The expansion is bounded while the text is
/// read.
struct YAMLComposer {
    /// A tree and its size.
    private struct Part {
        let node: YAMLNode

        /// The number of values in the tree, including values behind aliases.
        var count = 1

        /// The depth of nested values.
        var depth = 1
    }

    /// The error of a text that cannot be composed.
    ///
    /// The log has the reason.
    private struct Refusal: Error {}

    /// The maximum number of values in a text, including values behind aliases.
    private static let maximumCount = 2_000_000

    /// The number of values behind aliases that any text may have.
    ///
    /// Each written value allows two more.
    private static let freeAliasedCount = 20_000

    private static let maximumDepth = 64

    /// The number of values between two checks for an interruption.
    private static let interruptionInterval = 1_024

    private let events: YAMLEvents
    private let log: IssueLog
    private let refusesAliasKeys: Bool
    private let interruption: Interruption
    private var anchors: [ByteText: Part] = [:]
    private var writtenCount = 0
    private var aliasedCount = 0

    /// Reads a text with one document, or returns `nil` if it is empty or an issue is logged.
    ///
    /// If requested, a key that is an alias is reported, because requests never need one. `columns` refers to the text
    /// that this one was converted from.
    static func compose(
        _ bytes: [UInt8],
        columns: ColumnShifts = .none,
        reportingTo log: IssueLog,
        refusesAliasKeys: Bool = false,
        interruption: Interruption = .never
    ) -> YAMLNode? {
        guard String(validating: bytes, as: UTF8.self) != nil else {
            log.report(.invalidYAML, at: nil, message: "The file is not UTF-8.", hint: "Save it as UTF-8.")
            return nil
        }
        // A byte order mark has no meaning in UTF-8.
        let mark = Array("\u{FEFF}".utf8)
        return bytes[(bytes.starts(with: mark) ? mark.count : 0)...]
            .withUnsafeBufferPointer { bytes in
                var composer = YAMLComposer(
                    events: YAMLEvents(bytes, columns: columns),
                    log: log,
                    refusesAliasKeys: refusesAliasKeys,
                    interruption
                )
                do {
                    return try composer.document()
                } catch let fault as YAMLEvents.SyntaxError {
                    log.report(
                        .invalidYAML,
                        at: fault.mark,
                        message: "This is not YAML: \(fault.problem).",
                        hint: fault.mark == nil
                            ? "Save the file as plain UTF-8 text."
                            : Self.hint(forLineAt: fault.mark, of: bytes)
                    )
                } catch {
                    // The reason is already in the log.
                }
                return nil
            }
    }

    /// Returns advice for the line of a syntax error.
    private static func hint(forLineAt mark: YAMLMark?, of bytes: UnsafeBufferPointer<UInt8>) -> String {
        let usual = "Check the indentation, the colons and the quotes around this place."
        guard let mark else { return usual }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: mark.line, omittingEmptySubsequences: false)
        // The parser reports the error later in the line, or in the next one.
        let near = lines.prefix(mark.line).suffix(2)
            .map { String(decoding: $0.prefix(maximumLineLength), as: UTF8.self) }
        if near.contains(where: { $0.contains(/[:\[-]\s*\{[A-Za-z0-9_.?*-]+\}[^\s,}\]]/) }) {
            return
                "Quote a text that begins with a brace: `path: \"{orderId}/items\"`; without quotes, it is a mapping."
        }
        // Between braces or brackets, a text without quotes ends at a brace.
        let unquoted = near.map { $0.replacing(/"[^"]*"|'[^']*'/, with: "") }
        guard unquoted.contains(where: { $0.contains(/[^\s,:{}\[\]]\{[A-Za-z0-9_.?*-]+\}/) }) else { return usual }
        return "Quote the path: `{ path: \"post/{id}\" }`; without quotes, its first brace begins a mapping."
    }

    /// The maximum number of bytes of a line that are read for a hint.
    private static let maximumLineLength = 512

    private init(events: YAMLEvents, log: IssueLog, refusesAliasKeys: Bool, _ interruption: Interruption) {
        self.interruption = interruption
        self.events = events
        self.log = log
        self.refusesAliasKeys = refusesAliasKeys
    }

    private mutating func document() throws -> YAMLNode? {
        guard case .documentStart = try events.next().kind else { return nil }
        let root = try part(try events.next(), depth: 1).node
        _ = try events.next()
        let next = try events.next()
        guard case .streamEnd = next.kind else {
            throw YAMLEvents.SyntaxError(problem: "expected a single document, but found another one", mark: next.mark)
        }
        return root
    }

    // MARK: Values

    private mutating func part(_ event: YAMLEvents.Event, depth: Int) throws -> Part {
        if case .alias(let anchor) = event.kind { return try aliased(anchor, at: event.mark, depth: depth) }
        writtenCount += 1
        try checkSize(at: event.mark, depth: depth)
        switch event.kind {
        case .scalar(let text, let isPlain, let anchor, let tag):
            try checkText(text, at: event.mark)
            // A tagged text counts as quoted.
            let isText = tag.map { $0.bytewise == Self.textTag } ?? false
            if !isText { try checkTag(tag, at: event.mark) }
            return register(
                Part(node: YAMLNode(content: .scalar(text, isPlain: isPlain && !isText), mark: event.mark)),
                as: anchor
            )
        case .sequenceStart(let anchor, let tag):
            try checkTag(tag, at: event.mark)
            return register(try sequence(event.mark, depth: depth), as: anchor)
        case .mappingStart(let anchor, let tag):
            try checkTag(tag, at: event.mark)
            return register(try mapping(event.mark, depth: depth), as: anchor)
        default: throw YAMLEvents.SyntaxError(problem: "a value is missing", mark: event.mark)
        }
    }

    private mutating func register(_ part: Part, as anchor: String?) -> Part {
        if let anchor { anchors[anchor.bytewise] = part }
        return part
    }

    private mutating func aliased(_ anchor: String, at mark: YAMLMark, depth: Int) throws -> Part {
        guard let part = anchors[anchor.bytewise] else {
            throw YAMLEvents.SyntaxError(problem: "found undefined alias", mark: mark)
        }
        aliasedCount += part.count
        try checkSize(at: mark, depth: depth + part.depth - 1)
        return part
    }

    private mutating func sequence(_ mark: YAMLMark, depth: Int) throws -> Part {
        var items: [YAMLNode] = []
        var whole = Part(node: YAMLNode(content: .sequence([]), mark: mark))
        while true {
            let event = try events.next()
            if case .end = event.kind { break }
            let item = try part(event, depth: depth + 1)
            items.append(item.node)
            whole.count += item.count
            whole.depth = max(whole.depth, item.depth + 1)
        }
        return Part(node: YAMLNode(content: .sequence(items), mark: mark), count: whole.count, depth: whole.depth)
    }

    private mutating func mapping(_ mark: YAMLMark, depth: Int) throws -> Part {
        var pairs: [YAMLPair] = []
        var places: [ByteText: Int] = [:]
        var (count, height) = (1, 1)
        while true {
            let event = try events.next()
            if case .end = event.kind { break }
            let key = try key(event, depth: depth + 1)
            let value = try part(try events.next(), depth: depth + 1)
            count += value.count
            height = max(height, value.depth + 1)
            guard let key else { continue }
            if let former = places.updateValue(pairs.count, forKey: key.bytewise) {
                places[key.bytewise] = former
                log.report(
                    .duplicateKey,
                    at: event.mark,
                    message: "The key `\(key)` is repeated; it first appears in line \(pairs[former].mark.line).",
                    hint: "Remove or rename one of the two."
                )
                continue
            }
            pairs.append(YAMLPair(key: key, mark: event.mark, value: value.node))
        }
        return Part(node: YAMLNode(content: .mapping(pairs), mark: mark), count: count, depth: height)
    }

    /// Reads a key.
    ///
    /// An invalid key is `nil`: it is reported, and omitted with its value.
    private mutating func key(_ event: YAMLEvents.Event, depth: Int) throws -> String? {
        if refusesAliasKeys, case .alias = event.kind {
            log.report(.invalidValue, at: event.mark, message: "A key here is an alias.", hint: "Write the key out.")
            throw Refusal()
        }
        guard let text = try part(event, depth: depth).node.text else {
            let hint = "Use a plain word as key."
            log.report(.wrongType, at: event.mark, message: "A key here is a list or a mapping.", hint: hint)
            return nil
        }
        switch text.bytewise {
        case "":
            log.report(
                .invalidValue,
                at: event.mark,
                message: "A key is empty.",
                hint: "Give it a name, or remove the line."
            )
            return nil
        case "<<":
            log.report(
                .mergeKey,
                at: event.mark,
                message: "The merge key `<<` is not supported.",
                hint: "Write the keys out, or share a whole value by an anchor."
            )
            return nil
        default: return text
        }
    }

    // MARK: Tags

    /// The tag `!!str` (YAML 1.2 §10.1.1.3).
    private static let textTag: ByteText = "tag:yaml.org,2002:str"

    /// Rejects a tag.
    ///
    /// Its effect isn't implemented, and a catalog must not have another meaning than its text.
    private func checkTag(_ tag: String?, at mark: YAMLMark) throws {
        guard let tag else { return }
        let prefix = "tag:yaml.org,2002:"
        let name =
            tag.utf8.starts(with: prefix.utf8) ? "!!" + String(Substring(tag.utf8.dropFirst(prefix.utf8.count))) : tag
        log.report(
            .invalidValue,
            at: mark,
            message: "A value here has the tag `\(name)`, which has no meaning in a catalog.",
            hint: "Remove the tag, and write the intended value; a text may be quoted."
        )
        throw Refusal()
    }

    // MARK: Bounds

    private func checkText(_ text: String, at mark: YAMLMark) throws {
        guard !StreamSafeText.contains(text) else { return }
        log.report(
            .invalidValue,
            at: mark,
            message: "A text here has more than 30 combining characters in a row.",
            hint: "Remove accents that belong to no letter; such texts are costly to compare."
        )
        throw Refusal()
    }

    private func checkSize(at mark: YAMLMark, depth: Int) throws {
        if writtenCount % Self.interruptionInterval == 0, interruption.isDue {
            log.report(.givenUp(at: log.location(mark)))
            throw Refusal()
        }
        guard depth <= Self.maximumDepth, writtenCount + aliasedCount <= Self.maximumCount else {
            log.report(
                .tooLarge,
                at: mark,
                message:
                    "The file nests deeper than \(Self.maximumDepth) levels or has more than \(Self.maximumCount) values.",
                hint: "Write it out flat; anchors are for small repeated parts."
            )
            throw Refusal()
        }
        guard aliasedCount <= Self.freeAliasedCount + 2 * writtenCount else {
            log.report(
                .tooLarge,
                at: mark,
                message: "The aliases up to here expand to \(aliasedCount) values, and \(writtenCount) are written.",
                hint: "Anchors are for small repeated parts; let many routes open one route that opens the rest."
            )
            throw Refusal()
        }
    }
}

/// The Stream-Safe Text Format of Unicode (UAX #15, §13): at most 30 non-starters, such as accents, in a row.
///
/// Code that compares, sorts or prints a text by canonical equivalence, as `String` does, sorts each run of
/// non-starters, at a cost quadratic in its length. No language needs more than 30.
enum StreamSafeText {
    /// The maximum number of non-starters in a row (UAX15-D3).
    private static let maximumRun = 30

    /// Returns whether all runs of non-starters in a text are short enough to be compared in linear time.
    ///
    /// - Complexity: linear in the text.
    static func contains(_ text: String) -> Bool {
        // The first non-starter is U+0300, in UTF-8 CC 80.
        guard text.utf8.contains(where: { $0 >= 0xCC }) else { return true }
        var run = 0
        for scalar in text.unicodeScalars {
            let count = nonStarterCount(of: scalar)
            run = count == 0 ? 0 : run + count
            if run > maximumRun { return false }
        }
        return true
    }

    /// Returns the number of non-starters in the canonical decomposition of a scalar, if it begins with one.
    private static func nonStarterCount(of scalar: Unicode.Scalar) -> Int {
        switch scalar.value {
        case ..<0x300: 0
        // The non-starter decompositions (UAX #15, §5), some of them of starters.
        case 0x344, 0xF73, 0xF75, 0xF81: 2
        default: scalar.properties.canonicalCombiningClass == .notReordered ? 0 : 1
        }
    }
}

/// YAML other than a catalog, read by the same rules.
package enum YAMLText {
    /// Reads the text of a file, or returns `nil` if it is empty or holds only comments.
    ///
    /// - Throws: `CatalogError` with every issue of the text: invalid UTF-8 or YAML, repeated keys, text that is costly
    ///   to compare, aliases that expand too far.
    package static func compose(_ bytes: [UInt8], file: String) throws(CatalogError) -> YAMLNode? {
        let log = IssueLog(file: file)
        let root = YAMLComposer.compose(bytes, reportingTo: log)
        guard log.issues.isEmpty else { throw CatalogError(log.issues) }
        return root
    }
}
