import DeepLinkCore

/// The issues of one file, collected while it is read.
///
/// A class so that the readers of nested parts add to one list; it never leaves the load that created it.
final class IssueLog {
    /// The longest message, in characters: keys and values that it repeats may be long, and stand behind many aliases.
    private static let maximumLength = 1_000

    private let file: String
    private(set) var issues: [CatalogIssue] = []

    /// The rules that cannot be judged, since a part of the file that they need could not be read.
    private(set) var heldBack: Set<CatalogIssue.Code> = []

    /// Leaves out what would only follow from a fault that is reported.
    func holdBack(_ codes: CatalogIssue.Code...) {
        heldBack.formUnion(codes)
    }

    init(file: String) {
        self.file = file
    }

    /// An empty log of the same file.
    func fresh() -> IssueLog { IssueLog(file: file) }

    /// Adds the issues of another log, but for those of which a like one is known at the same place.
    func add(_ other: IssueLog) {
        for issue in other.issues
        where !issues.contains(where: { $0.code == issue.code && $0.location == issue.location }) {
            issues.append(issue)
        }
    }

    /// Returns the place of a YAML mark in this file.
    func location(_ mark: YAMLMark?) -> SourceLocation {
        SourceLocation(file: file, line: mark?.line ?? 1, column: mark?.column ?? 1)
    }

    /// Adds an issue at a mark; at the beginning of the file where there is none.
    func report(_ code: CatalogIssue.Code, at mark: YAMLMark?, _ message: String, hint: String) {
        report(code, at: location(mark), message, hint: hint)
    }

    /// Adds an issue at a place.
    func report(_ code: CatalogIssue.Code, at location: SourceLocation, _ message: String, hint: String) {
        issues.append(CatalogIssue(code, at: location, Self.clipped(message), hint: Self.clipped(hint)))
    }

    private static func clipped(_ text: String) -> String {
        guard text.utf8.count > maximumLength else { return text }
        let part = maximumLength / 2
        return String(text.unicodeScalars.prefix(part)) + " … " + String(text.unicodeScalars.suffix(part))
    }
}
