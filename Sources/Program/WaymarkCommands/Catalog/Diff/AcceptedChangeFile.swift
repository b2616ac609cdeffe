import DeepLinkCatalog
import DeepLinkComparison
import DeepLinkCore
import DeepLinkFormats
import Foundation

/// A file of accepted changes: a YAML list of their subjects, reasons and expiry dates.
enum AcceptedChangeFile {
    private static let subjectKeys = ["route", "edge", "parameter", "origin", "gate", "presentation"]
    private static let keys = ["rule"] + subjectKeys + ["old", "new", "reason", "until"]

    /// The lifetime of a generated entry, in days.
    private static let defaultDayCount: Int64 = 90

    /// Reads the entries.
    ///
    /// - Throws: ``CommandError`` of code 65 for the first entry that cannot be read, or that lacks a reason, and of
    ///   code 69 if the file doesn't exist.
    static func read(_ path: String) throws(CommandError) -> [AcceptedChange] {
        try nodes(try InputFile.read(path), path: path).map { node throws(CommandError) in try entry(node, path: path) }
    }

    private static func nodes(_ bytes: [UInt8], path: String) throws(CommandError) -> [YAMLNode] {
        let root: YAMLNode?
        do throws(CatalogError) {
            root = try YAMLText.compose(bytes, file: path)
        } catch {
            let faults = error.issues.map { "\(path):\($0.location.line):\($0.location.column): \($0.message)" }
            throw CommandError.badData(faults.joined(separator: "\n"))
        }
        guard let root else { return [] }
        guard let items = root.items else {
            throw CommandError.badData("\(path) isn't a list. Write `- rule: …` for each accepted change.")
        }
        return items
    }

    private static func entry(_ node: YAMLNode, path: String) throws(CommandError) -> AcceptedChange {
        func fault(_ message: String) -> CommandError {
            CommandError.badData("\(path):\(node.mark.line): \(message)")
        }
        guard let pairs = node.pairs else { throw fault("an entry isn't a mapping; write `rule`, `reason`, `until`.") }
        var texts: [ByteText: String] = [:]
        for pair in pairs {
            guard keys.contains(where: { $0.bytewise == pair.key.bytewise }) else {
                throw fault("`\(pair.key)` isn't a key of an entry; keys are \(keys.joined(separator: ", ")).")
            }
            guard let text = pair.value.text else { throw fault("`\(pair.key)` isn't a string.") }
            texts[pair.key.bytewise] = text
        }
        guard let rule = texts["rule"].flatMap({ ChangeRule(bytewise: $0) }) else {
            throw fault("`rule` is \(texts["rule"].map { "`\($0)`, which isn't a rule" } ?? "missing").")
        }
        guard let reason = texts["reason"], !reason.allSatisfy(\.isWhitespace) else {
            throw fault("`reason` is empty. Say why the change is accepted.")
        }
        guard let until = texts["until"], ScalarType.date.value(of: until) != nil else {
            throw fault("`until` isn't a date; write YYYY-MM-DD, the last day on which the entry counts.")
        }
        return AcceptedChange(
            identity: Finding.Identity(
                rule: rule,
                subject: ChangeSubject { texts[$0.bytewise]?.bytewise },
                old: texts["old"]?.bytewise,
                new: texts["new"]?.bytewise
            ),
            reason: reason,
            until: until,
            line: node.mark.line
        )
    }

    /// Appends findings without an entry, with empty reasons, so that the file doesn't load until they are filled in.
    ///
    /// - Throws: ``CommandError`` of code 65 if the file isn't a list, and of code 69 if it cannot be written.
    static func append(_ findings: [Finding], to path: String, at time: Timestamp) throws(CommandError) {
        let isThere = FileManager.default.fileExists(atPath: path)
        let bytes = isThere ? try InputFile.read(path) : []
        let known = Set(try nodes(bytes, path: path).map(identityText))
        let day = Timestamp(millisecondsSinceEpoch: time.millisecondsSinceEpoch + defaultDayCount * 24 * 3600 * 1000)
        let until = String(day.rfc3339.prefix(10))
        var text = bytes.isEmpty || bytes.last == UInt8(ascii: "\n") ? "" : "\n"
        var count = 0
        for finding in findings where finding.severity > .info {
            let members = members(of: finding.identity)
            guard !known.contains(identityText(members)) else { continue }
            count += 1
            for (place, member) in (members + [("reason", ""), ("until", until)]).enumerated() {
                text += (place == 0 ? "- " : "  ") + "\(member.0): \(quoted(member.1))\n"
            }
        }
        guard (try? Data(bytes + Array(text.utf8)).write(to: URL(fileURLWithPath: path))) != nil else {
            throw CommandError.unavailable("cannot write \(path).")
        }
        StandardError.print("waymark: \(count) findings appended to \(path). Give each a reason.")
    }

    private static func members(of identity: Finding.Identity) -> [(String, String)] {
        var members = [("rule", identity.rule.rawValue)] + identity.subject.parts.map { ($0.name, $0.value) }
        if let old = identity.old { members.append(("old", old.string)) }
        if let new = identity.new { members.append(("new", new.string)) }
        return members
    }

    private static func identityText(_ node: YAMLNode) -> ByteText {
        let pairs = node.pairs ?? []
        return identityText(
            keys.dropLast(2)
                .compactMap { key in
                    pairs.first { $0.key.bytewise == key.bytewise }?.value.text.map { (key, $0) }
                }
        )
    }

    private static func identityText(_ members: [(String, String)]) -> ByteText {
        members.map { "\($0.0)=\($0.1)" }.joined(separator: "\n").bytewise
    }

    /// Quotes a text as in JSON, which is valid YAML with the same meaning.
    private static func quoted(_ text: String) -> String {
        var writer = JSONWriter()
        writer.string(text)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
