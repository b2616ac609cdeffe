import DeepLinkCore
import DeepLinkFormats

extension ComparisonReport {
    /// The report for a terminal: a paragraph for each change in the format of compilers, with its consequences, and a
    /// summary.
    package var lines: [String] {
        var lines = ["catalog \(oldVersion) → \(newVersion)"]
        for change in changes { lines += change.lines }
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

extension ReportedChange {
    /// The change, its details, and its consequences, without links that the preceding one already shows.
    var lines: [String] {
        let details = alike.first.details
        var lines = ["\(state): \(alike.message) [\(findings[0].rule.rawValue)]"]
        lines += details.map { "    \($0.label): \($0.text)" }
        lines += alike.widenedLinks.filter { $0.bytewise != findings[0].witness?.bytewise }.map { "    link: \($0)" }
        var told = findings[0].witness
        for consequence in consequences {
            lines.append("    \(consequence.text)")
            lines += consequence.details(beside: told).map { "        \($0.label): \($0.text)" }
            told = consequence.findings[0].witness ?? told
        }
        return lines
    }
}

extension AlikeFindings {
    /// The severity, the change and its rule in a line.
    var text: String {
        let finding = findings[0]
        let state = finding.acceptance == nil ? "" : " (accepted)"
        return "\(finding.severity.name)\(state): \(message) [\(finding.rule.rawValue)]"
    }

    /// The details of a consequence that differ from the details of its change.
    fileprivate func details(beside link: String?) -> [(label: String, text: String)] {
        var finding = first
        if finding.witness?.bytewise == link?.bytewise, !finding.rule.widensAccess { finding.witness = nil }
        let own: Set = ["link", "app", "recorded links", "users", "accepted"]
        let others = widenedLinks.filter { $0.bytewise != finding.witness?.bytewise }
        return finding.details.filter { own.contains($0.label) } + others.map { ("link", $0) }
    }
}

extension Finding {
    /// The details in addition to the change itself, by label.
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

extension ComparisonReport {
    /// Returns the report in the XML format of CI servers (github.com/testmoapp/junitxml).
    ///
    /// Each change is a test case. It fails if the severity of the change reaches the threshold. If there are no
    /// changes, one test case passes.
    package func junit(failingOn threshold: Severity) -> String {
        let failures = changes.count { $0.worst.map { $0 >= threshold } ?? false }
        let name = XMLText.escaped("catalog \(oldVersion) → \(newVersion)")
        let cases = changes.map { junit($0, threshold: threshold) }
        let none = "  <testcase classname=\"catalog\" name=\"no change\"/>"
        let system = XMLText.escaped(([summary] + acceptanceFaults).joined(separator: "; "))
        let counts = "tests=\"\(max(1, changes.count))\" failures=\"\(failures)\""
        return
            (["<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<testsuite name=\"\(name)\" \(counts)>"]
            + (cases.isEmpty ? [none] : cases) + ["  <system-out>\(system)</system-out>", "</testsuite>"])
            .joined(separator: "\n")
    }

    private func junit(_ change: ReportedChange, threshold: Severity) -> String {
        let rule = change.findings[0].rule.rawValue
        let head = "  <testcase classname=\"\(rule)\" name=\"\(XMLText.escaped(change.alike.message))\""
        guard let worst = change.worst, worst >= threshold else { return head + "/>" }
        let details = (change.alike.first.details.map { "\($0.label): \($0.text)" } + change.consequences.map(\.text))
            .joined(separator: "; ")
        return head
            + ">\n    <failure message=\"\(worst.name)\">\(XMLText.escaped(details))</failure>\n  </testcase>"
    }
}

extension ComparisonReport {
    /// The report as workflow commands, one for each change.
    ///
    /// GitHub shows them beside the lines of the new catalog (docs.github.com/actions, "Workflow commands").
    package var workflowCommands: [String] {
        changes.map { change in
            let finding = change.findings[0]
            let level =
                switch change.severity {
                case _ where change.isAccepted: "notice"
                case .breaking: "error"
                case .risk: "warning"
                case .info: "notice"
                }
            var properties: [String] = []
            if let place = finding.newLocation ?? finding.oldLocation {
                properties += ["file=\(Self.property(place.file))", "line=\(place.line)", "col=\(place.column)"]
            }
            properties.append("title=\(finding.rule.rawValue)")
            let text =
                [change.alike.message] + change.alike.first.details.map { "\($0.label): \($0.text)" }
                + change.consequences.map(\.text)
            return "::\(level) \(properties.joined(separator: ","))::\(Self.escaped(text.joined(separator: "\n")))"
        }
            + (acceptanceFaults + [summary]).map { "::notice title=catalog diff::\(Self.escaped($0))" }
    }

    private static func escaped(_ text: String) -> String {
        replace(text, escapes: ["%": "%25", "\r": "%0D", "\n": "%0A"])
    }

    private static func property(_ text: String) -> String {
        replace(text, escapes: ["%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"])
    }

    private static func replace(_ text: String, escapes: [Unicode.Scalar: String]) -> String {
        text.unicodeScalars.map { escapes[$0] ?? String(Character($0)) }.joined()
    }
}
