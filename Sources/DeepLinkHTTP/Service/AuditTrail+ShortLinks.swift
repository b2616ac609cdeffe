import DeepLinkCore
import DeepLinkReporting
import DeepLinkUsers

/// A change of a short link, for the audit log.
struct AuditedShortLink: Sendable {
    /// The kind of change.
    let action: AuditAction

    /// The code.
    let code: String

    /// The facts before; `nil` for a link that was made.
    let before: AuditEntry.State?

    /// The facts after; `nil` for a link that is gone.
    let after: AuditEntry.State?
}

extension AuditTrail {
    /// Makes changes of short links, and writes their lines.
    ///
    /// A link about a user is named by the user's name in the log and not by its code, which would lead to the person after
    /// an erasure. Names are made before the change, so that an erasure in between deletes them.
    ///
    /// - Parameters:
    ///   - user: The user whom the links are about; `nil` for none.
    ///   - call: The request.
    ///   - time: The time of the change.
    ///   - change: The change, which returns its outcome and, as far as anything has changed, what the log tells.
    /// - Returns: The outcome.
    /// - Throws: The errors of the change.
    func notingShortLinks<Outcome>(
        about user: UserID?,
        of call: EndpointRequest,
        at time: Timestamp,
        change: () async throws -> (Outcome, [AuditedShortLink])
    ) async rethrows -> Outcome {
        guard isKept else { return try await change().0 }
        let author = await actor(of: call.caller)
        let about = await name(of: user)
        let (outcome, changes) = try await change()
        let origin = AuditOrigin(of: call)
        await note(
            changes.map { change in
                AuditEntry(
                    change.action,
                    of: .shortLink(code: user == nil ? change.code : nil, about: about),
                    at: time,
                    by: author,
                    from: origin,
                    before: change.before,
                    after: change.after,
                    requestID: call.head.id
                )
            }
        )
        return outcome
    }
}
