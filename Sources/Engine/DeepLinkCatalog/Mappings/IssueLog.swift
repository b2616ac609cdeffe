import DeepLinkCore

/// The issues of a catalog, collected while one of its files is read.
///
/// It is a class so that the readers of nested parts add to one list. It is used only within the load that created it.
final class IssueLog {
    /// The maximum length of a message, in characters.
    ///
    /// Keys and values in messages may be long, and repeated by many aliases.
    private static let maximumLength = 1_000

    private let file: String

    /// The list that the logs of a catalog's files share.
    private let list: List

    private final class List {
        var issues: [CatalogIssue] = []

        /// The locations of the issues, with their codes.
        var places: Set<Place> = []

        var heldBack: Set<CatalogIssue.Code> = []
    }

    private struct Place: Hashable {
        let code: CatalogIssue.Code
        let location: SourceLocation
    }

    /// The issues of all files of the catalog.
    var issues: [CatalogIssue] { list.issues }

    /// The rules that cannot be checked because a part of the catalog that they need is unreadable.
    var heldBack: Set<CatalogIssue.Code> { list.heldBack }

    /// Suppresses issues that would only follow from a reported one.
    func holdBack(_ codes: CatalogIssue.Code...) {
        list.heldBack.formUnion(codes)
    }

    /// Creates an empty log of a catalog's own file.
    convenience init(file: String) {
        self.init(file: file, list: List())
    }

    private init(file: String, list: List) {
        self.file = file
        self.list = list
    }

    /// Returns the log of another file of the same catalog, which adds to the same issues.
    func ofFile(_ file: String) -> IssueLog { IssueLog(file: file, list: list) }

    /// Returns an empty log of the same file, with the same issues held back.
    func fresh() -> IssueLog {
        let log = IssueLog(file: file)
        log.list.heldBack = heldBack
        return log
    }

    /// Adds the issues of another log, except issues that are similar to one at the same location.
    func add(_ other: IssueLog) {
        for issue in other.issues where !list.places.contains(Place(code: issue.code, location: issue.location)) {
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

    /// Adds the issue of something that another file of the catalog declares too.
    func reportDuplicate(
        _ code: CatalogIssue.Code,
        of subject: String,
        at location: SourceLocation,
        other: SourceLocation
    ) {
        report(
            code,
            at: location,
            message: "\(subject) is also declared at \(other.file):\(other.line):\(other.column).",
            hint: "Remove or rename one of the two: no file of a catalog overrides another."
        )
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
        list.issues.append(issue)
        list.places.insert(Place(code: issue.code, location: issue.location))
    }

    /// The issue that reports that reading the file was interrupted.
    var givenUp: CatalogIssue { .givenUp(at: location(nil)) }

    private static func clipped(_ text: String) -> String {
        guard text.utf8.count > maximumLength else { return text }
        let part = maximumLength / 2
        return String(text.unicodeScalars.prefix(part)) + " … " + String(text.unicodeScalars.suffix(part))
    }
}
