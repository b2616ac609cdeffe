package import DeepLinkCore
import DeepLinkFormats

/// The result of a comparison, in the order of reports.
package struct ComparisonReport: Sendable {
    /// The version of the old catalog.
    package let oldVersion: String

    /// The version of the new catalog.
    package let newVersion: String

    /// The findings that harm a requested audience, or none: widened access first, then links that die, then worst
    /// first.
    package let findings: [Finding]

    /// The same findings, grouped by the changes that they follow from.
    package let changes: [ReportedChange]

    /// The findings that admit previously denied users, for all audiences.
    package let widenings: [Finding]

    /// The number of links that the catalogs printed themselves.
    package let witnessCount: Int

    /// The number of links and changes that were left out because there were too many.
    ///
    /// If it isn't 0, the comparison doesn't prove that all links resolve alike.
    package let untriedCount: Int

    /// The counts of recorded links, or `nil` if no links were given.
    package let recorded: RecordedLinks?

    /// The users of a database, or `nil` if no database was given.
    package let users: StoredUsers?

    /// The entries that accept no finding.
    package let unusedAcceptances: [AcceptedChange]

    /// The entries that have expired.
    package let expiredAcceptances: [AcceptedChange]

    /// The included files of both catalogs, which locations name relative to the catalog's folder, or `nil` if they
    /// name each file as the user wrote it.
    let includedFiles: (old: IncludedFiles, new: IncludedFiles)?

    /// The maximum number of findings in a bounded report.
    let maximumCount: Int

    /// The maximum size of the findings' texts in a bounded report, in bytes.
    private static let maximumByteCount = 512 * 1024

    /// The maximum number of links per finding in a bounded report.
    private static let maximumLinkCount = 100

    /// Returns the number of findings of a severity that aren't accepted.
    package func count(_ severity: Severity) -> Int {
        findings.count { $0.severity == severity && $0.acceptance == nil }
    }

    /// The highest severity that isn't accepted, or `nil` if all findings are accepted.
    package var worst: Severity? { findings.lazy.filter { $0.acceptance == nil }.map(\.severity).max() }

    /// Returns the number of changes of a severity that aren't accepted.
    private func changeCount(_ severity: Severity) -> Int {
        changes.count { !$0.isAccepted && $0.severity == severity }
    }

    /// The number of accepted findings.
    package var acceptedCount: Int { findings.count { $0.acceptance != nil } }

    /// The summary in one line: the number of changes by severity, and widened access in any case.
    package var summary: String {
        let counts = Severity.allCases.reversed().map { "\(changeCount($0)) \($0.name)" }
        var parts = [counts.joined(separator: ", ")]
        if acceptedCount > 0 { parts.append("\(acceptedCount) accepted") }
        if !widenings.isEmpty {
            let named = widenings.prefix(3)
                .map { "`\(($0.identity.subject.route ?? $0.identity.subject.gate)?.string ?? "")`" }
            let more = widenings.count > named.count ? " and \(widenings.count - named.count) more" : ""
            parts.append("access widens at \(named.joined(separator: ", "))\(more)")
        }
        if untriedCount > 0 {
            parts.append("\(Self.counted(untriedCount, word: "link")) not tried, as there are too many")
        }
        if let recorded {
            parts.append(
                "\(Self.counted(recorded.changedCount, word: "link")) (\(Self.counted(recorded.changedOpenCount, word: "open"))) "
                    + "of \(Self.grouped(recorded.linkCount)) change, \(Self.grouped(recorded.diedCount)) die"
            )
        }
        return (parts + (users?.remarks ?? [])).joined(separator: "; ")
    }

    private static func counted(_ count: Int, word: String) -> String {
        "\(grouped(count)) \(word)\(count == 1 ? "" : "s")"
    }

    /// Returns a number with a comma between groups of three digits.
    static func grouped(_ number: Int) -> String {
        let digits = Array(String(number))
        return digits.enumerated()
            .map { place, digit in
                (place > 0 && (digits.count - place) % 3 == 0 ? "," : "") + String(digit)
            }
            .joined()
    }
}

extension ComparisonReport: WireBody {
    /// Writes the versions, counts and findings as JSON.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("oldVersion", oldVersion)
            writer.member("newVersion", newVersion)
            writer.key("summary")
            summary(to: &writer)
            writer.member("changes") { writer in
                for severity in Severity.allCases.reversed() { writer.member(severity.name, changeCount(severity)) }
            }
            writer.key("findings")
            let listed = listed
            writer.array(listed) { $0.finding($1, includedFiles: includedFiles) }
            if listed.count < findings.count { writer.member("omittedFindings", findings.count - listed.count) }
            for (name, entries) in [
                ("unusedAcceptances", unusedAcceptances), ("expiredAcceptances", expiredAcceptances),
            ] where !entries.isEmpty {
                writer.member(name, array: entries) { writer, entry in
                    writer.object { writer in
                        writer.identity(entry.identity)
                        writer.members([("reason", entry.reason), ("until", entry.until)])
                        writer.member("line", entry.line)
                    }
                }
            }
        }
    }

    /// The findings that the report lists, limited to the first ones if it is bounded.
    private var listed: [Finding] {
        guard maximumCount < .max else { return findings }
        var byteCount = 0
        return findings.prefix(maximumCount)
            .map { finding in
                var finding = finding
                finding.links = Array(finding.links.prefix(Self.maximumLinkCount))
                return finding
            }
            .prefix { finding in
                byteCount += finding.byteCount
                return byteCount <= Self.maximumByteCount
            }
    }

    private func summary(to writer: inout JSONWriter) {
        writer.object { writer in
            for severity in Severity.allCases.reversed() { writer.member(severity.name, count(severity)) }
            writer.member("accepted", acceptedCount)
            writer.member("accessWidens", !widenings.isEmpty)
            writer.member("witnesses", witnessCount)
            if untriedCount > 0 { writer.member("untried", untriedCount) }
            if let users { writer.users(users) }
            guard let recorded else { return }
            writer.member("links") { writer in
                writer.member("total", recorded.linkCount)
                writer.member("opens", recorded.openCount)
                writer.member("changed", recorded.changedCount)
                writer.member("changedOpens", recorded.changedOpenCount)
                writer.member("died", recorded.diedCount)
                writer.member("diedOpens", recorded.diedOpenCount)
                writer.member("malformed", recorded.malformedCount)
            }
        }
    }
}

extension Finding {
    /// The approximate number of bytes of the finding's texts in a report.
    fileprivate var byteCount: Int {
        // The sentence repeats the old and the new value.
        2 * ((identity.old?.string.utf8.count ?? 0) + (identity.new?.string.utf8.count ?? 0))
            + (witness?.utf8.count ?? 0) + links.reduce(0) { $0 + $1.utf8.count }
    }
}

extension JSONWriter {
    fileprivate mutating func identity(_ identity: Finding.Identity) {
        members([("rule", identity.rule.rawValue)])
        members(identity.subject.parts.map { ($0.name, $0.value) })
        members([("old", identity.old?.string), ("new", identity.new?.string)])
    }

    fileprivate mutating func users(_ users: StoredUsers) {
        member("users") { writer in
            writer.member("total", users.count)
            for (member, names) in [("unknownLevels", users.unknown), ("formerLevels", users.former)]
            where !names.isEmpty {
                writer.member(member) { writer in
                    for (name, count) in names { writer.member(name.text, count) }
                }
            }
        }
    }

    fileprivate mutating func finding(_ finding: Finding, includedFiles: (old: IncludedFiles, new: IncludedFiles)?) {
        object { writer in
            writer.members([("rule", finding.rule.rawValue), ("severity", finding.severity.name)])
            writer.member("change", finding.changeNumber)
            if finding.isConsequence { writer.member("consequence", true) }
            writer.member("audiences", array: finding.audiences) { $0.string($1.rawValue) }
            writer.members(finding.identity.subject.parts.map { ($0.name, $0.value) })
            writer.members([
                ("old", finding.identity.old?.string), ("new", finding.identity.new?.string),
                ("message", finding.message), ("witness", finding.witness),
                ("app", finding.witnessApp), ("hint", finding.hint),
            ])
            writer.location("oldLocation", at: finding.oldLocation, in: includedFiles?.old)
            writer.location("newLocation", at: finding.newLocation, in: includedFiles?.new)
            if finding.rule.widensAccess { writer.member("links", texts: finding.links) }
            if finding.linkCount > 0 {
                writer.member("linkCount", finding.linkCount)
                writer.member("openCount", finding.openCount)
            }
            if let count = finding.userCount { writer.member("users", count) }
            if let count = finding.shortLinkCount { writer.member("shortLinks", count) }
            guard let acceptance = finding.acceptance else { return }
            writer.member("accepted") { $0.members([("reason", acceptance.reason), ("until", acceptance.until)]) }
        }
    }

    private mutating func location(_ name: String, at location: SourceLocation?, in files: IncludedFiles?) {
        guard let location else { return }
        let file = files.map { $0.name(at: location) } ?? location.file
        member(name) { writer in
            writer.members([("file", file)])
            writer.member("line", location.line)
            writer.member("column", location.column)
        }
    }
}
