package import DeepLinkCore

/// The fault of a link's signature; the raw value is the one that clients see.
package enum LinkSignatureFault: String, CaseIterable, Sendable {
    /// The keys of the query aren't a signature, or are given more than once.
    case malformed

    /// No key of this service has that id.
    case unknownKey = "unknown-key"

    /// The signature isn't of this link.
    case wrong

    /// The link's time is over.
    case expired

    /// The description of the fault, with its fix.
    fileprivate var detail: String {
        switch self {
        case .malformed:
            "The link needs `sig=<key id>.<base64url>` once, and `exp` in seconds since 1970 once or not at all."
        case .unknownKey: "No key of this service has the id that `sig` names; ask for a new link."
        case .wrong: "The signature is not that of this link; open the link as it was sent."
        case .expired: "The link has expired; ask for a new one."
        }
    }
}

extension Problem {
    /// Reports a link that brings no signature, and leads to a route that takes one.
    package static func signatureRequired(_ demand: SignatureDemand) -> Problem {
        Problem(
            .signatureRequired,
            detail: "Links to \(demand.route) must be signed: `sig` is missing.",
            extensions: [.init("route", text: demand.route)]
        )
    }

    /// Reports a signature that does not hold.
    package static func invalidSignature(_ fault: LinkSignatureFault, demand: SignatureDemand) -> Problem {
        Problem(
            .invalidSignature,
            detail: fault.detail,
            extensions: [.init("route", text: demand.route), .init("reason", text: fault.rawValue)]
        )
    }
}
