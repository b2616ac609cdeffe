import DeepLinkCore
import DeepLinkFormats

/// The outcome of an import: each row made, already there, or refused; the refused ones in groups.
struct ImportReport: WireBody {
    /// The refused rows of one reason whose links have one form.
    private struct Group {
        let first: ImportRefusal
        var count: Int
    }

    /// The groups that are told apart; later forms join those of their reason.
    private static let maximumGroupCount = 1000

    /// The groups that are shown to people.
    private static let shownGroupCount = 20

    /// The links that were made.
    private(set) var madeCount = 0

    /// The links that were there already, with the same destination.
    private(set) var existingCount = 0

    /// The links, made or there, whose own destination is not in the catalog, and which lead to that of all such.
    private(set) var otherwiseCount = 0

    /// The rows that no link was made of.
    private(set) var refusedCount = 0

    private var groups: [ByteText: Group] = [:]

    /// All rows.
    var rowCount: Int { madeCount + existingCount + refusedCount }

    /// Counts a link that was made, or was there already.
    mutating func note(isNew: Bool, isOtherwise: Bool) {
        if isNew { madeCount += 1 } else { existingCount += 1 }
        if isOtherwise { otherwiseCount += 1 }
    }

    /// Counts a row that no link was made of.
    mutating func note(_ refusal: ImportRefusal) {
        refusedCount += 1
        let own = "\(refusal.reason) \(refusal.shape)".bytewise
        let key = groups[own] != nil || groups.count < Self.maximumGroupCount ? own : refusal.reason.bytewise
        groups[key, default: Group(first: refusal, count: 0)].count += 1
    }

    /// The groups, the largest first.
    private var sortedGroups: [Group] {
        groups.values.sorted { ($1.count, $0.first.line) < ($0.count, $1.first.line) }
    }

    /// The report for people.
    var lines: [String] {
        var table = TextTable()
        table.append(["rows", "\(rowCount)"])
        table.append(["made", "\(madeCount)"])
        table.append(["already there", "\(existingCount)"])
        table.append(["refused", "\(refusedCount)"])
        if otherwiseCount > 0 { table.append(["by --otherwise", "\(otherwiseCount)"]) }
        let groups = sortedGroups
        var lines = table.lines
        for group in groups.prefix(Self.shownGroupCount) {
            let refusal = group.first
            lines.append("")
            let form = refusal.shape.isEmpty ? "" : "  " + refusal.shape
            lines.append("\(group.count) refused: \(refusal.reason)\(form)")
            let link = refusal.link.isEmpty ? "" : ", " + refusal.link.truncated(toByteCount: 200)
            lines.append("    such as line \(refusal.line): \(refusal.code.truncated(toByteCount: 80))\(link)")
            lines.append("    \(refusal.message)")
            if refusal.nearest.count > 1 { lines.append("    nearest: \(refusal.nearest.joined(separator: ", "))") }
        }
        let rest = groups.dropFirst(Self.shownGroupCount)
        if !rest.isEmpty {
            lines += [
                "", "\(rest.reduce(0) { $0 + $1.count }) refused in \(rest.count) more groups; --format json has all.",
            ]
        }
        return lines
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            for (name, count) in [
                ("rows", rowCount), ("made", madeCount), ("existing", existingCount), ("otherwise", otherwiseCount),
                ("refused", refusedCount),
            ] {
                writer.key(name)
                writer.number(count)
            }
            writer.key("refusals")
            writer.array(sortedGroups) { writer, group in
                writer.object { writer in
                    for (name, text) in [("reason", group.first.reason), ("shape", group.first.shape)]
                    where !text.isEmpty {
                        writer.key(name)
                        writer.string(text)
                    }
                    for (name, count) in [("count", group.count), ("line", group.first.line)] {
                        writer.key(name)
                        writer.number(count)
                    }
                    for (name, text) in [
                        ("code", group.first.code), ("link", group.first.link), ("detail", group.first.message),
                    ] where !text.isEmpty {
                        writer.key(name)
                        writer.string(text)
                    }
                    writer.key("nearest")
                    writer.array(group.first.nearest) { $0.string($1) }
                }
            }
        }
    }
}
