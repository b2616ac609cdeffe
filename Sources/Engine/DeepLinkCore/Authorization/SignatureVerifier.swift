/// A holder of the keys that verify the signatures of links.
///
/// The server verifies with its keys. An app holds none. With this protocol one rule serves both, and the engine for
/// apps does not depend on the modules of the server's keys (decision record 34).
package protocol SignatureVerifier {
    /// Checks the signature of a link.
    ///
    /// - Parameters:
    ///   - demand: the signature that the link must carry.
    ///   - time: the current time, or `nil` if the link was in time already.
    /// - Throws: ``SignatureRefusal`` if the signature is missing or invalid.
    func verify(_ demand: SignatureDemand, at time: Timestamp?) throws(SignatureRefusal)
}

/// The refusal of a link to a route that accepts signed links only.
package enum SignatureRefusal: Error {
    /// The link isn't signed.
    case missing(SignatureDemand)

    /// The signature is invalid.
    case invalid(LinkSignatureFault, SignatureDemand)

    /// The demand that the link does not meet.
    package var demand: SignatureDemand {
        switch self {
        case .missing(let demand), .invalid(_, let demand): demand
        }
    }

    /// The fault and its remedy, as a sentence.
    package var message: String {
        switch self {
        case .missing(let demand): "Links to \(demand.route) must be signed: `sig` is missing."
        case .invalid(let fault, _): fault.message
        }
    }
}

/// The fault of a link's signature, with the code in responses as its raw value.
package enum LinkSignatureFault: String, CaseIterable, Sendable {
    /// The keys of the query aren't a signature, or are given more than once.
    case malformed

    /// The key's ID is unknown to this service.
    case unknownKey = "unknown-key"

    /// The signature doesn't belong to this link.
    case wrong

    /// The link has expired.
    case expired

    /// The fault and its remedy, as a sentence.
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
