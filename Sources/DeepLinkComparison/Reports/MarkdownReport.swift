import DeepLinkCore

extension ComparisonReport {
    /// The report for a review: the summary, widened access, and a table.
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
                    finding.witness.map(Self.code) ?? "", Self.cell(finding.hint ?? ""),
                ]
                return "| " + cells.joined(separator: " | ") + " |"
            }
        }
        if !acceptanceFaults.isEmpty { lines += [""] + acceptanceFaults.map { "- \(Self.cell($0))" } }
        return lines
    }

    /// Escapes characters that would end a cell or act as markup.
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

    /// Returns a text as code, for any content.
    private static func code(_ text: String) -> String {
        "``" + text.unicodeScalars.map { $0 == "|" ? "\\|" : $0 == "`" ? "'" : String(Character($0)) }.joined() + "``"
    }
}
