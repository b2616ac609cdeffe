import DeepLinkCore
import DeepLinkFormats

/// A row that no short link was made of.
struct ImportRefusal: Sendable {
    /// The line of the file, from 1.
    let line: Int

    /// The code as written; empty for a row that has none.
    let code: String

    /// The link as it was resolved; empty for a row that has none.
    let link: String

    /// The reason in a word: that of a problem, or `malformed-row`, `invalid-code`, `reserved-code`.
    let reason: String

    /// The reason in one or two sentences.
    let message: String

    /// The form that the links of several rows share, refused for one reason.
    let shape: String

    /// The links of the nearest routes.
    let nearest: [String]

    /// Refuses a row for a reason that its link has no part in.
    ///
    /// - Parameters:
    ///   - line: The line of the file.
    ///   - code: The code as written.
    ///   - link: The link as it was resolved.
    ///   - reason: The reason in a word.
    ///   - shape: The form of the reason; empty if it has one alone.
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

    /// Refuses a row because its link, as rewritten, is no destination of a short link.
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
    /// Returns the part of the link that it shares with others which fail alike: the path up to the segment that no route
    /// has, or the parameter that does not fit.
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
