import DeepLinkCore
import DeepLinkFormats

/// A row from which no short link was made.
struct ImportRefusal: Sendable {
    /// The line of the file, from 1.
    let line: Int

    /// The code as written, or an empty text if the row has none.
    var code = ""

    /// The link that was resolved, or an empty text if the row has none.
    var link = ""

    /// The reason as a code: a problem's code, or `malformed-row`, `invalid-code`, `reserved-code`.
    let reason: String

    /// The reason in one or two sentences.
    let message: String

    /// The form that the links of several rows share, for grouping rows with one reason.
    ///
    /// Empty if the reason has only one group.
    var shape = ""

    /// The links of the nearest routes.
    var nearest: [String] = []
}

extension ImportRefusal {
    /// Refuses a row that cannot be read.
    init(malformed line: Int, message: String) {
        self.init(line: line, reason: "malformed-row", message: message)
    }

    /// Refuses a row because its link, as rewritten, cannot be the destination of a short link.
    init(_ row: ImportedRow, link: String, fault: ShortLinkFault) {
        let (reason, shape): (ProblemCode, String)
        var nearest: [String] = []
        switch fault {
        case .syntax(let error): (reason, shape) = (.malformedLink, error.reason.rawValue)
        case .failure(let failure, let link):
            (reason, shape) = (Problem(failure).code, link.shape(of: failure))
            if case .noMatchingRoute(let report) = failure { nearest = report.suggestions }
        case .problem(let problem, let route): (reason, shape) = (problem.code, route)
        }
        self.init(
            line: row.line,
            code: row.code,
            link: link,
            reason: reason.rawValue,
            message: fault.message,
            shape: shape,
            nearest: nearest
        )
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
