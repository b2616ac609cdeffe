import DeepLinkCore

extension ComparisonReport {
    /// The report for a terminal: a paragraph for each finding in the format of compilers, and a summary.
    package var lines: [String] {
        var lines = ["catalog \(oldVersion) → \(newVersion)"]
        for finding in findings {
            let state = finding.acceptance == nil ? "" : " (accepted)"
            lines.append("\(finding.severity.name)\(state): \(finding.message) [\(finding.rule.rawValue)]")
            for (label, text) in finding.details { lines.append("    \(label): \(text)") }
            if finding.rule.widensAccess {
                for link in finding.links where link.bytewise != finding.witness?.bytewise {
                    lines.append("    link: \(link)")
                }
            }
        }
        lines += acceptanceFaults
        let isSame = findings.isEmpty && widenings.isEmpty && untriedCount == 0
        let same = ["no change; \(witnessCount) links resolve alike"] + (users?.remarks ?? [])
        lines.append(isSame ? same.joined(separator: "; ") : summary)
        return lines
    }

    /// The problems of the accepted changes, one per line.
    var acceptanceFaults: [String] {
        unusedAcceptances.map { "accepted in line \($0.line), and not found: \($0.words)" }
            + expiredAcceptances.map { "accepted until \($0.until) in line \($0.line): \($0.words)" }
    }
}

extension AcceptedChange {
    /// The change in the syntax of the file.
    fileprivate var words: String {
        ([identity.rule.rawValue] + identity.subject.parts.map { "\($0.name) \($0.value)" }).joined(separator: ", ")
    }
}

extension Finding {
    /// The details beside the change itself, by label.
    var details: [(label: String, text: String)] {
        var details: [(String, String)] = []
        if !audiences.isEmpty { details.append(("for", audiences.map(\.rawValue).joined(separator: ", "))) }
        if let witness { details.append(("link", witness)) }
        if let witnessApp { details.append(("app", witnessApp)) }
        if linkCount > 0 {
            let counts = "\(ComparisonReport.grouped(linkCount)), opened \(ComparisonReport.grouped(openCount)) times"
            details.append(("recorded links", counts))
        }
        if let userCount { details.append(("users", ComparisonReport.grouped(userCount))) }
        if let oldLocation { details.append(("old", oldLocation.text)) }
        if let newLocation { details.append(("new", newLocation.text)) }
        if let acceptance { details.append(("accepted", "until \(acceptance.until): \(acceptance.reason)")) }
        if let hint = hint { details.append(("hint", hint)) }
        return details
    }
}

extension SourceLocation {
    /// The location in the format of compilers.
    var text: String { "\(file):\(line):\(column)" }
}
