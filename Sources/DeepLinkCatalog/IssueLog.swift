import DeepLinkCore
import Yams

/// Collects the issues of one file while it is read.
///
/// A class so that the readers of nested parts add to one list; it never leaves the load that created it.
final class IssueLog {
    private let file: String
    private(set) var issues: [CatalogIssue] = []

    /// The characters with which keys begin that are reported as duplicates already.
    var maskedKeys: Range<UInt32> = 0..<0

    init(file: String) {
        self.file = file
    }

    /// The place of a YAML mark in this file.
    func location(_ mark: Mark?) -> SourceLocation {
        SourceLocation(file: file, line: mark?.line ?? 1, column: mark?.column ?? 1)
    }

    func report(_ code: CatalogIssue.Code, at mark: Mark?, _ message: String, hint: String) {
        report(code, at: location(mark), message, hint: hint)
    }

    func report(_ code: CatalogIssue.Code, at location: SourceLocation, _ message: String, hint: String) {
        issues.append(CatalogIssue(code, at: location, message, hint: hint))
    }

    /// Tells whether the key of a mapping is reported already, whatever stands there.
    func isReported(_ key: String) -> Bool {
        guard key != "<<", let first = key.unicodeScalars.first?.value else { return true }
        return maskedKeys.contains(first)
    }
}
