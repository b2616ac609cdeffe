import DeepLinkCore
import DeepLinkFormats

/// A row from which no short link was made.
struct ImportRefusal: Sendable {
    /// The line of the file, from 1.
    let line: Int

    /// The code as written.
    ///
    /// Empty if the row has none.
    let code: String

    /// The link that was resolved.
    ///
    /// Empty if the row has none.
    let link: String

    /// The reason as a code: a problem's code, or `malformed-row`, `invalid-code`, `reserved-code`.
    let reason: String

    /// The reason in one or two sentences.
    let message: String

    /// The form that the links of several rows share, for grouping rows with one reason.
    let shape: String

    /// The links of the nearest routes.
    let nearest: [String]

    /// Refuses a row for a reason other than its link.
    ///
    /// - Parameters:
    ///   - line: The line of the file.
    ///   - code: The code as written.
    ///   - link: The link that was resolved.
    ///   - reason: The reason as a code.
    ///   - shape: The form by which rows are grouped. Empty if the reason has only one group.
    ///   - message: The reason in one or two sentences.
    init(line: Int, code: String, link: String, reason: String, shape: String = "", message: String) {
        self.line = line
        self.code = code
        self.link = link
        self.reason = reason
        self.message = message
        self.shape = shape
        nearest = []
    }

    /// Refuses a row because its link, as rewritten, cannot be the destination of a short link.
    init(_ row: ImportedRow, link: String, fault: ShortLinkFault) {
        line = row.line
        code = row.code
        self.link = link
        message = fault.message
        switch fault {
        case .syntax(let error):
            reason = ProblemCode.malformedLink.rawValue
            shape = error.reason.rawValue
            nearest = []
        case .failure(let failure, let link):
            reason = Problem(failure).code.rawValue
            shape = link.shape(of: failure)
            nearest = if case .noMatchingRoute(let report) = failure { report.suggestions } else { [] }
        case .problem(let problem, let route):
            reason = problem.code.rawValue
            shape = route
            nearest = []
        }
    }
}

extension DeepLink {
    /// Returns the part of the link that links with the same failure share: the path up to the segment that matches no
    /// route, or the parameter that does not fit.
    fileprivate func shape(of failure: ResolutionError) -> String {
        let start = scheme + "://" + host + (port.map { ":\($0)" } ?? "")
        switch failure {
        case .noMatchingRoute(let report):
            let known = segments.prefix(max(0, segments.count - report.unmatched.count + 1))
            let rest = report.unmatched.count > 1 ? ["…"] : []
            return start + "/" + (known.map { PercentEncoding.encode($0) } + rest).joined(separator: "/")
        case .invalidParameter(let invalid): return "\(invalid.route), parameter \(invalid.parameter)"
        case .unknownOrigin: return start + "/…"
        default: return start
        }
    }
}
