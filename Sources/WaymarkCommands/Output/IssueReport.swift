import DeepLinkCore
import DeepLinkFormats

/// The issues of a catalog, as compilers show theirs and as JSON.
struct IssueReport: WireBody {
    private let issues: [CatalogIssue]

    init(_ issues: [CatalogIssue]) {
        self.issues = issues
    }

    /// One paragraph for each fault, and a count.
    var text: String {
        let paragraphs = issues.map { issue in
            let place = "\(issue.location.file):\(issue.location.line):\(issue.location.column)"
            return
                "\(place): \(issue.code.severity.rawValue): \(issue.message) [\(issue.code.rawValue)]\n    hint: \(issue.hint)"
        }
        return summary + "\n" + paragraphs.joined(separator: "\n")
    }

    /// The count alone.
    var summary: String { "the catalog has " + (issues.count == 1 ? "1 issue" : "\(issues.count) issues") }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("issues")
            writer.array(issues) { writer, issue in
                writer.object { writer in
                    writer.key("file")
                    writer.string(issue.location.file)
                    writer.key("line")
                    writer.number(issue.location.line)
                    writer.key("column")
                    writer.number(issue.location.column)
                    writer.key("severity")
                    writer.string(issue.code.severity.rawValue)
                    writer.key("code")
                    writer.string(issue.code.rawValue)
                    writer.key("message")
                    writer.string(issue.message)
                    writer.key("hint")
                    writer.string(issue.hint)
                }
            }
        }
    }
}
