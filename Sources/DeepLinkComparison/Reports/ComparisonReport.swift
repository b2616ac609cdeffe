package import DeepLinkCore
import DeepLinkFormats

/// What a comparison found, in the order in which a person wants to read it.
package struct ComparisonReport: Sendable {
    /// The version of the old catalog.
    package let oldVersion: String

    /// The version of the new catalog.
    package let newVersion: String

    /// The findings that harm an audience asked for, or nobody: access that widens first, then links that die, then the
    /// worst.
    package let findings: [Finding]

    /// The findings by which users get in who were refused, whoever is asked for.
    package let widenings: [Finding]

    /// The number of links that the catalogs printed themselves.
    package let witnessCount: Int

    /// The recorded links; `nil` where none was given.
    package let recorded: RecordedLinks?

    /// The entries that accept nothing that was found.
    package let unusedAcceptances: [AcceptedChange]

    /// The entries whose time is over.
    package let expiredAcceptances: [AcceptedChange]

    private let namesFiles: Bool

    init(
        oldVersion: String,
        newVersion: String,
        findings: [Finding],
        witnessCount: Int,
        recorded: RecordedLinks?,
        audiences: [ChangeAudience],
        accepted: [AcceptedChange],
        today: String,
        namesFiles: Bool
    ) {
        self.namesFiles = namesFiles
        self.oldVersion = oldVersion
        self.newVersion = newVersion
        self.witnessCount = witnessCount
        self.recorded = recorded
        let counting = accepted.filter { $0.until.bytewise >= today.bytewise }
        expiredAcceptances = accepted.filter { $0.until.bytewise < today.bytewise }
        let isAll = audiences.count == ChangeAudience.allCases.count
        var used: Set<Finding.Identity> = []
        let found = findings.compactMap { finding -> Finding? in
            var finding = finding
            if !isAll {
                finding.harms = finding.harms.filter { audiences.contains($0.key) }
                guard !finding.harms.isEmpty else { return nil }
            }
            finding.acceptance = counting.first { $0.identity == finding.identity }
            if finding.acceptance != nil { used.insert(finding.identity) }
            return finding
        }
        widenings = findings.filter { $0.rule == .levelLowered }
        self.findings = found.enumerated()
            .sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }.map(\.element)
        unusedAcceptances = counting.filter { !used.contains($0.identity) }
    }

    /// The number of findings of a severity that nobody has accepted.
    package func count(_ severity: Severity) -> Int {
        findings.count { $0.severity == severity && $0.acceptance == nil }
    }

    /// The worst severity that nobody has accepted; `nil` where nothing is found.
    package var worst: Severity? { findings.lazy.filter { $0.acceptance == nil }.map(\.severity).max() }

    /// The number of findings that are accepted.
    package var acceptedCount: Int { findings.count { $0.acceptance != nil } }

    /// The whole in a line; access that widens is always in it.
    package var summary: String {
        let counts = [(Severity.breaking, "break"), (.risk, "risk"), (.info, "info")]
            .map { severity, word in "\(count(severity)) \(word)" }
        var parts = [counts.joined(separator: ", ")]
        if acceptedCount > 0 { parts.append("\(acceptedCount) accepted") }
        if !widenings.isEmpty {
            let named = widenings.prefix(3).map { "`\($0.identity.subject.route?.string ?? "")`" }
            let more = widenings.count > named.count ? " and \(widenings.count - named.count) more" : ""
            parts.append("access widens at \(named.joined(separator: ", "))\(more)")
        }
        if let recorded {
            parts.append(
                "\(Self.counted(recorded.changedCount, "link")) (\(Self.counted(recorded.changedOpenCount, "open"))) "
                    + "of \(Self.grouped(recorded.linkCount)) change, \(Self.grouped(recorded.diedCount)) die"
            )
        }
        return parts.joined(separator: "; ")
    }

    private static func counted(_ count: Int, _ word: String) -> String {
        "\(grouped(count)) \(word)\(count == 1 ? "" : "s")"
    }

    /// Writes a number with a comma before every three digits.
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
    /// Writes versions, counts and findings.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("oldVersion")
            writer.string(oldVersion)
            writer.key("newVersion")
            writer.string(newVersion)
            writer.key("summary")
            summary(to: &writer)
            writer.key("findings")
            writer.array(findings) { $0.finding($1, namesFiles) }
            for (name, entries) in [
                ("unusedAcceptances", unusedAcceptances), ("expiredAcceptances", expiredAcceptances),
            ] where !entries.isEmpty {
                writer.key(name)
                writer.array(entries) { writer, entry in
                    writer.object { writer in
                        writer.identity(entry.identity)
                        writer.members([("reason", entry.reason), ("until", entry.until)])
                        writer.key("line")
                        writer.number(entry.line)
                    }
                }
            }
        }
    }

    private func summary(to writer: inout JSONWriter) {
        writer.object { writer in
            for severity in Severity.allCases.reversed() {
                writer.key(severity.name)
                writer.number(count(severity))
            }
            writer.key("accepted")
            writer.number(acceptedCount)
            writer.key("accessWidens")
            writer.value(.bool(!widenings.isEmpty))
            writer.key("witnesses")
            writer.number(witnessCount)
            guard let recorded else { return }
            writer.key("links")
            writer.object { writer in
                for (name, count) in [
                    ("total", recorded.linkCount), ("opens", recorded.openCount),
                    ("changed", recorded.changedCount), ("changedOpens", recorded.changedOpenCount),
                    ("died", recorded.diedCount), ("diedOpens", recorded.diedOpenCount),
                    ("malformed", recorded.malformedCount),
                ] {
                    writer.key(name)
                    writer.number(count)
                }
            }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func members(_ members: [(String, String?)]) {
        for case (let name, let value?) in members {
            key(name)
            string(value)
        }
    }

    fileprivate mutating func identity(_ identity: Finding.Identity) {
        members([("rule", identity.rule.rawValue)])
        members(identity.subject.parts.map { ($0.name, $0.value) })
        members([("old", identity.old?.string), ("new", identity.new?.string)])
    }

    fileprivate mutating func finding(_ finding: Finding, _ namesFiles: Bool) {
        object { writer in
            writer.members([("rule", finding.rule.rawValue), ("severity", finding.severity.name)])
            writer.key("audiences")
            writer.array(finding.audiences) { $0.string($1.rawValue) }
            writer.members(finding.identity.subject.parts.map { ($0.name, $0.value) })
            writer.members([
                ("old", finding.identity.old?.string), ("new", finding.identity.new?.string),
                ("message", finding.message), ("witness", finding.witness),
                ("app", finding.witness.flatMap { _ in finding.witnessApp }), ("hint", finding.rule.hint),
            ])
            writer.location("oldLocation", finding.oldLocation, namesFiles)
            writer.location("newLocation", finding.newLocation, namesFiles)
            if finding.rule == .levelLowered {
                writer.key("links")
                writer.array(finding.links) { $0.string($1) }
            }
            if finding.linkCount > 0 {
                writer.key("linkCount")
                writer.number(finding.linkCount)
                writer.key("openCount")
                writer.number(finding.openCount)
            }
            guard let acceptance = finding.acceptance else { return }
            writer.key("accepted")
            writer.object { $0.members([("reason", acceptance.reason), ("until", acceptance.until)]) }
        }
    }

    private mutating func location(_ name: String, _ location: SourceLocation?, _ namesFile: Bool) {
        guard let location else { return }
        key(name)
        object { writer in
            if namesFile { writer.members([("file", location.file)]) }
            writer.key("line")
            writer.number(location.line)
            writer.key("column")
            writer.number(location.column)
        }
    }
}
