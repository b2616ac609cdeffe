import DeepLinkCore

/// The issues of one file, collected while it is read.
///
/// It is a class so that the readers of nested parts add to one list. It is used only within the load that created it.
final class IssueLog {
    /// The maximum length of a message, in characters.
    ///
    /// Keys and values in messages may be long, and repeated by many aliases.
    private static let maximumLength = 1_000

    private let file: String
    private(set) var issues: [CatalogIssue] = []

    /// The locations of the issues, with their codes.
    private var places: Set<Place> = []

    private struct Place: Hashable {
        let code: CatalogIssue.Code
        let location: SourceLocation
    }

    /// The rules that cannot be checked because a part of the file that they need is unreadable.
    private(set) var heldBack: Set<CatalogIssue.Code> = []

    /// Suppresses issues that would only follow from a reported one.
    func holdBack(_ codes: CatalogIssue.Code...) {
        heldBack.formUnion(codes)
    }

    init(file: String) {
        self.file = file
    }

    /// Returns an empty log of the same file, with the same issues held back.
    func fresh() -> IssueLog {
        let log = IssueLog(file: file)
        log.heldBack = heldBack
        return log
    }

    /// Adds the issues of another log, except issues that are similar to one at the same location.
    func add(_ other: IssueLog) {
        for issue in other.issues where !places.contains(Place(code: issue.code, location: issue.location)) {
            report(issue)
        }
    }

    /// Returns the location of a YAML mark in this file.
    func location(_ mark: YAMLMark?) -> SourceLocation {
        SourceLocation(file: file, line: mark?.line ?? 1, column: mark?.column ?? 1)
    }

    /// Adds an issue at a mark, or at the beginning of the file if there is no mark.
    func report(_ code: CatalogIssue.Code, at mark: YAMLMark?, message: String, hint: String) {
        report(code, at: location(mark), message: message, hint: hint)
    }

    /// Adds an issue at a location.
    func report(_ code: CatalogIssue.Code, at location: SourceLocation, message: String, hint: String) {
        report(CatalogIssue(code, at: location, message: Self.clipped(message), hint: Self.clipped(hint)))
    }

    /// Adds the issue of a value of another kind than it should be.
    func reportKind(of node: YAMLNode, subject: String, hint: String) {
        report(.wrongType, at: node.mark, message: "\(subject) is \(node.kindInWords).", hint: hint)
    }

    /// Returns the text of a single value, and reports any other value.
    func text(of node: YAMLNode, subject: String, hint: @autoclosure () -> String) -> String? {
        if let text = node.text, !node.isNull { return text }
        reportKind(of: node, subject: subject, hint: hint())
        return nil
    }

    /// Returns the items of a list, and reports any other value.
    func items(of node: YAMLNode, subject: String, hint: String) -> [YAMLNode]? {
        if node.items == nil { reportKind(of: node, subject: subject, hint: hint) }
        return node.items
    }

    /// Adds an issue.
    func report(_ issue: CatalogIssue) {
        issues.append(issue)
        places.insert(Place(code: issue.code, location: issue.location))
    }

    /// The issue that reports that reading the file was interrupted.
    var givenUp: CatalogIssue { .givenUp(at: location(nil)) }

    private static func clipped(_ text: String) -> String {
        guard text.utf8.count > maximumLength else { return text }
        let part = maximumLength / 2
        return String(text.unicodeScalars.prefix(part)) + " … " + String(text.unicodeScalars.suffix(part))
    }
}
