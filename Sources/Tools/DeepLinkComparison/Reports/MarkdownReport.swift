import DeepLinkCore

extension ComparisonReport {
    /// The report for a review: the summary, widened access, and a table of the changes, each above its consequences.
    package var markdown: [String] {
        var lines = ["## Catalog `\(oldVersion)` → `\(newVersion)`", "", summary + "."]
        if !widenings.isEmpty {
            lines += ["", "**Access widens:**", ""]
            for finding in widenings {
                lines.append("- \(Self.text(finding.message))")
                lines += AlikeFindings(findings: [finding]).widenedLinks
                    .map { "  - \(Self.code($0, isInTable: false))" }
            }
        }
        if !changes.isEmpty {
            lines += ["", "| | rule | change | link | hint |", "|---|---|---|---|---|"]
            for change in changes { lines += Self.rows(of: change) }
        }
        if !acceptanceFaults.isEmpty { lines += [""] + acceptanceFaults.map { "- \(Self.text($0))" } }
        return lines
    }

    /// Returns the row of a change and the rows of its consequences, with each link in one row only.
    private static func rows(of change: ReportedChange) -> [String] {
        var told: Set<ByteText> = []
        func row(_ alike: AlikeFindings, severity: String, mark: String, hint: String?) -> String {
            let finding = alike.findings[0]
            // The links of widened access stand above the table.
            let isNew = finding.witness.map { told.insert($0.bytewise).inserted } ?? false
            let link = isNew && !finding.rule.widensAccess ? finding.witness.map { code($0) } : nil
            let cells = [
                finding.acceptance.map { "accepted until \($0.until)" } ?? severity, "`\(finding.rule.rawValue)`",
                mark + cell(alike.message), link ?? "", cell(hint ?? ""),
            ]
            return "| " + cells.joined(separator: " | ") + " |"
        }
        let own = row(change.alike, severity: change.severity.name, mark: "", hint: change.findings[0].hint)
        return [own]
            + change.consequences.map { row($0, severity: $0.findings[0].severity.name, mark: "↳ ", hint: nil) }
    }

    /// Escapes characters that would end a cell or act as markup.
    private static func cell(_ text: String) -> String { self.text(text, isInTable: true) }

    /// Escapes characters that would act as markup, except in code.
    private static func text(_ text: String, isInTable: Bool = false) -> String {
        var isCode = false
        return text.unicodeScalars
            .map { scalar in
                switch scalar {
                case "`":
                    isCode.toggle()
                    return "`"
                case "|" where isInTable: return "\\|"
                case "<", ">", "*", "_", "[", "]", "\\": return isCode ? String(Character(scalar)) : "\\\(scalar)"
                case "\n", "\r": return " "
                default: return String(Character(scalar))
                }
            }
            .joined()
    }

    /// Returns a text as code, for any content.
    private static func code(_ text: String, isInTable: Bool = true) -> String {
        "``"
            + text.unicodeScalars.map { $0 == "|" && isInTable ? "\\|" : $0 == "`" ? "'" : String(Character($0)) }
            .joined() + "``"
    }
}
