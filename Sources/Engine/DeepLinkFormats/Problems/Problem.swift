package import DeepLinkCore
package import HTTPTypes

/// An error document (RFC 9457), for people and for programs.
///
/// Handlers throw problems; they become responses once, at the outermost middleware.
package struct Problem: Error, WireBody {
    /// The maximum length of ``detail``, in bytes: it may repeat texts of a client, and must not send them back whole.
    static let maximumDetailByteCount = 2048

    /// The kind of the problem.
    package let code: ProblemCode

    /// The description of this occurrence, naming the thing and the fix; cut off if it is too long.
    package let detail: String

    /// The members that programs read, in the order of the wire.
    package let extensions: [ProblemExtension]

    /// Header fields that go with the problem, such as `Allow`.
    package let headers: HTTPFields

    /// The underlying error, for the log; the client does not see it.
    package let cause: (any Error)?

    /// Creates a problem from its parts.
    package init(
        _ code: ProblemCode,
        detail: String,
        extensions: [ProblemExtension] = [],
        headers: HTTPFields = [:],
        cause: (any Error)? = nil
    ) {
        self.cause = cause
        self.code = code
        self.detail = detail.truncated(toByteCount: Self.maximumDetailByteCount)
        self.extensions = extensions
        self.headers = headers
    }

    /// Writes the problem as JSON.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("type")
            writer.string("urn:waymark:problem:" + code.rawValue)
            writer.key("title")
            writer.string(code.title)
            writer.key("status")
            writer.number(code.status.code)
            writer.key("detail")
            writer.string(detail)
            for member in extensions { member.write(to: &writer) }
        }
    }
}

extension Problem {
    /// The same problem with one member more.
    package func adding(_ member: ProblemExtension) -> Problem {
        Problem(code, detail: detail, extensions: extensions + [member], headers: headers, cause: cause)
    }

    /// The same problem with further header fields.
    package func adding(_ fields: HTTPFields) -> Problem {
        var headers = headers
        headers.append(contentsOf: fields)
        return Problem(code, detail: detail, extensions: extensions, headers: headers, cause: cause)
    }

    /// The same problem with a hint, unless it has one that says more, or is not about the link.
    package func adding(hint: String) -> Problem {
        guard !extensions.contains(where: { $0.name.bytewise == "hint" }) else { return self }
        return switch code {
        case .malformedLink, .noMatchingRoute, .invalidParameter, .conflictingDestinations, .tooDeep,
            .insufficientAuthorizationLevel, .missingGrant, .appUpdateRequired:
            adding(.init("hint", text: hint))
        default: self
        }
    }

    /// The same problem; if it is the server's (5xx), with the id under which its log knows the request.
    package func identified(by requestID: String) -> Problem {
        guard code.status.kind == .serverError, !extensions.contains(where: { $0.name.bytewise == "requestId" }) else {
            return self
        }
        return adding(ProblemExtension("requestId", text: requestID))
    }

    /// Says which part of a request is at fault, and why.
    package static func invalidRequest(field: String, reason: InvalidRequestReason, detail: String) -> Problem {
        Problem(
            .invalidRequest,
            detail: detail,
            extensions: [.init("field", text: field), .init("reason", text: reason.rawValue)]
        )
    }
}

/// The fault of a part of a request; the raw value is the one that clients see.
package enum InvalidRequestReason: String {
    /// A part that must be there is not.
    case missing

    /// The request has a part that means nothing here.
    case unknown

    /// A part is given twice.
    case duplicate

    /// Two parts contradict each other.
    case conflict

    /// A part is of the wrong JSON type.
    case wrongType = "wrong-type"

    /// A part has the right form and no possible value.
    case invalidValue = "invalid-value"

    /// A part cannot be read at all.
    case malformed
}

extension String {
    /// Returns the text, or if it has more than so many bytes of UTF-8 its beginning and an ellipsis.
    package func truncated(toByteCount limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: limit)
        // Never in the middle of a character's bytes.
        while end > utf8.startIndex, utf8[end] & 0xC0 == 0x80 { end = utf8.index(before: end) }
        return String(decoding: utf8[..<end], as: UTF8.self) + "…"
    }
}

extension Problem {
    /// Refuses to compare catalogs while another comparison is going on.
    package static var comparing: Problem {
        Problem(
            .overloaded,
            detail: "Another comparison of catalogs is going on; try again.",
            headers: [.retryAfter: "1"]
        )
    }

    /// Gives a comparison of catalogs up that takes too long.
    package static var comparisonTooLong: Problem {
        Problem(
            .overloaded,
            detail: "The comparison takes too long for a request; use `waymark catalog diff`.",
            headers: [.retryAfter: "60"]
        )
    }
}
