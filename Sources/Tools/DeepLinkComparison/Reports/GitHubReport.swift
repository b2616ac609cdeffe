import DeepLinkCore

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
