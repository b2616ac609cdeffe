/// The holder of the keys by which signatures of links are checked.
///
/// The server's keys are one; an app, which has none, another; so that one rule decides for both without the engine for apps
/// depending on the modules of the server's keys (decision record 34).
package protocol SignatureVerifier {
    /// Checks the signature of a link.
    ///
    /// - Parameters:
    ///   - demand: the proof that the link must carry.
    ///   - time: the current time; `nil` if the link was in time already.
    /// - Throws: ``SignatureRefusal`` if the link has no signature, or one that does not hold.
    func verify(_ demand: SignatureDemand, at time: Timestamp?) throws(SignatureRefusal)
}

/// The refusal of a link to a route that accepts signed links only.
package enum SignatureRefusal: Error {
    /// The link has no signature.
    case missing(SignatureDemand)

    /// The signature does not hold.
    case invalid(LinkSignatureFault, SignatureDemand)

    /// The demand that the link does not meet.
    package var demand: SignatureDemand {
        switch self {
        case .missing(let demand), .invalid(_, let demand): demand
        }
    }

    /// The fault with its fix, as a sentence.
    package var message: String {
        switch self {
        case .missing(let demand): "Links to \(demand.route) must be signed: `sig` is missing."
        case .invalid(let fault, _): fault.message
        }
    }
}

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

    /// The fault with its fix, as a sentence.
    fileprivate var message: String {
        switch self {
        case .malformed:
            "The link needs `sig=<key id>.<base64url>` once, and `exp` in seconds since 1970 once or not at all."
        case .unknownKey: "No key of this service has the id that `sig` names; ask for a new link."
        case .wrong: "The signature is not that of this link; open the link as it was sent."
        case .expired: "The link has expired; ask for a new one."
        }
    }
}
