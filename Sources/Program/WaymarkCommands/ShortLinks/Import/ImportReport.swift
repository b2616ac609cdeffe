import DeepLinkCore
import DeepLinkFormats

/// The outcome of an import, in which each row was made, existed already, or was refused, with the refused rows in
/// groups.
struct ImportReport: WireBody {
    /// The refused rows with one reason and one form of their links.
    private struct Group {
        let first: ImportRefusal
        var count: Int
    }

    /// The maximum number of groups.
    ///
    /// Later forms join a group with the same reason.
    private static let maximumGroupCount = 1000

    /// The maximum number of groups shown to people.
    private static let shownGroupCount = 20

    /// The number of links that were made.
    private(set) var madeCount = 0

    /// The number of links that existed already with the same destination.
    private(set) var existingCount = 0

    /// The number of links, made or existing, that have the common fallback because their own destination is not in the
    /// catalog.
    private(set) var otherwiseCount = 0

    /// The number of refused rows.
    private(set) var refusedCount = 0

    private var groups: [ByteText: Group] = [:]

    /// The number of all rows.
    var rowCount: Int { madeCount + existingCount + refusedCount }

    /// Counts a link that was made, or existed already.
    mutating func note(isNew: Bool, isOtherwise: Bool) {
        if isNew { madeCount += 1 } else { existingCount += 1 }
        if isOtherwise { otherwiseCount += 1 }
    }

    /// Counts a refused row.
    mutating func note(_ refusal: ImportRefusal) {
        refusedCount += 1
        let own = "\(refusal.reason) \(refusal.shape)".bytewise
        let key = groups[own] != nil || groups.count < Self.maximumGroupCount ? own : refusal.reason.bytewise
        groups[key, default: Group(first: refusal, count: 0)].count += 1
    }

    /// The groups, sorted by decreasing size.
    private var sortedGroups: [Group] {
        groups.values.sorted { ($1.count, $0.first.line) < ($0.count, $1.first.line) }
    }

    /// The report for people.
    var lines: [String] {
        var table = TextTable([
            ["rows", "\(rowCount)"], ["made", "\(madeCount)"], ["already there", "\(existingCount)"],
            ["refused", "\(refusedCount)"],
        ])
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
            writer.member("rows", rowCount)
            writer.member("made", madeCount)
            writer.member("existing", existingCount)
            writer.member("otherwise", otherwiseCount)
            writer.member("refused", refusedCount)
            writer.member("refusals", array: sortedGroups) { writer, group in
                writer.object { writer in
                    for (name, text) in [("reason", group.first.reason), ("shape", group.first.shape)]
                    where !text.isEmpty {
                        writer.member(name, text)
                    }
                    writer.member("count", group.count)
                    writer.member("line", group.first.line)
                    for (name, text) in [
                        ("code", group.first.code), ("link", group.first.link), ("detail", group.first.message),
                    ] where !text.isEmpty {
                        writer.member(name, text)
                    }
                    writer.member("nearest", texts: group.first.nearest)
                }
            }
        }
    }
}
