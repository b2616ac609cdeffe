import DeepLinkCore

extension ComparisonReport {
    /// The report for a review: the summary, access that widens, and a table.
    package var markdown: [String] {
        var lines = ["## Catalog `\(oldVersion)` → `\(newVersion)`", "", summary + "."]
        if !widenings.isEmpty {
            lines += ["", "**Access widens:**", ""]
            for finding in widenings {
                lines.append("- \(Self.cell(finding.message))")
                lines += finding.links.map { "  - \(Self.code($0))" }
            }
        }
        if !findings.isEmpty {
            lines += ["", "| | rule | change | link | hint |", "|---|---|---|---|---|"]
            lines += findings.map { finding in
                let severity = finding.acceptance.map { "accepted until \($0.until)" } ?? finding.severity.name
                let cells = [
                    severity, "`\(finding.rule.rawValue)`", Self.cell(finding.message),
                    finding.witness.map(Self.code) ?? "", Self.cell(finding.rule.hint ?? ""),
                ]
                return "| " + cells.joined(separator: " | ") + " |"
            }
        }
        if !acceptanceFaults.isEmpty { lines += [""] + acceptanceFaults.map { "- \(Self.cell($0))" } }
        return lines
    }

    /// Escapes what would end a cell, or be markup.
    private static func cell(_ text: String) -> String {
        text.unicodeScalars
            .map { scalar in
                switch scalar {
                case "|", "<", ">", "*", "_", "[", "]": "\\\(scalar)"
                case "\n", "\r": " "
                default: String(Character(scalar))
                }
            }
            .joined()
    }

    /// Writes a text as code, whatever it holds.
    private static func code(_ text: String) -> String {
        "``" + text.unicodeScalars.map { $0 == "|" ? "\\|" : $0 == "`" ? "'" : String(Character($0)) }.joined() + "``"
    }
}
