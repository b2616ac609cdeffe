import DeepLinkClientCode
package import DeepLinkCore
import DeepLinkFormats

/// The issues of a catalog, in the style of compilers and as JSON.
package struct IssueReport: WireBody {
    /// One issue of any source.
    private struct Issue {
        let location: SourceLocation
        let severity: CatalogIssue.Severity
        let code: String
        let message: String
        let hint: String
    }

    private let issues: [Issue]

    package init(_ issues: [CatalogIssue]) {
        self.issues = issues.map { issue in
            Issue(
                location: issue.location,
                severity: issue.code.severity,
                code: issue.code.rawValue,
                message: issue.message,
                hint: issue.hint
            )
        }
    }

    /// Creates a report of the issues of names in code.
    init(_ issues: [NameIssue]) {
        self.issues = issues.map { issue in
            Issue(
                location: issue.location,
                severity: issue.code.isError ? .error : .warning,
                code: issue.code.rawValue,
                message: issue.message,
                hint: issue.hint
            )
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

    func write(to writer: inout JSONWriter) {
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
