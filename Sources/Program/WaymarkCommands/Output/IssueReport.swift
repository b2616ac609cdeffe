import DeepLinkClientCode
package import DeepLinkCore
import DeepLinkFormats

/// The issues of a catalog, in the style of compilers and as JSON.
package struct IssueReport: WireBody {
    private let issues:
        [(
            location: SourceLocation, severity: CatalogIssue.Severity, code: String, message: String, hint: String
        )]

    /// Creates a report of the issues of a catalog.
    package init(_ issues: [CatalogIssue]) {
        self.issues = issues.map { ($0.location, $0.code.severity, $0.code.rawValue, $0.message, $0.hint) }
    }

    /// Creates a report of the issues of names in code.
    init(_ issues: [NameIssue]) {
        self.issues = issues.map { issue in
            (issue.location, issue.code.isError ? .error : .warning, issue.code.rawValue, issue.message, issue.hint)
        }
    }

    /// One paragraph for each issue, and a count.
    package var text: String {
        let paragraphs = issues.map { issue in
            let place = "\(issue.location.file):\(issue.location.line):\(issue.location.column)"
            // Names of the catalog are in both lines, and may contain line feeds.
            return TerminalText.line("\(place): \(issue.severity.rawValue): \(issue.message) [\(issue.code)]")
                + "\n    hint: " + TerminalText.line(issue.hint)
        }
        return summary + "\n" + paragraphs.joined(separator: "\n")
    }

    /// The count alone.
    package var summary: String {
        let areWarnings = !issues.isEmpty && issues.allSatisfy { $0.severity == .warning }
        return "the catalog has \(issues.count.counted(areWarnings ? "warning" : "issue"))"
    }

    /// Writes the report as JSON.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("issues", array: issues) { writer, issue in
                writer.object { writer in
                    writer.member("file", issue.location.file)
                    writer.member("line", issue.location.line)
                    writer.member("column", issue.location.column)
                    writer.member("severity", issue.severity.rawValue)
                    writer.member("code", issue.code)
                    writer.member("message", issue.message)
                    writer.member("hint", issue.hint)
                }
            }
        }
    }
}
