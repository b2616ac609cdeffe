import DeepLinkFormats
import DeepLinkReporting

/// The cause of a change of the catalog in force.
enum CatalogCause: String {
    /// The service starts.
    case start

    /// The file has changed.
    case file

    /// An operator has sent the signal to reload.
    case signal = "SIGHUP"
}

extension AuditEntry {
    /// Creates the line of a catalog that is put in force, or refused for a reason.
    static func catalog(
        _ action: AuditAction,
        because cause: CatalogCause,
        from former: String?,
        to version: String,
        reason: String? = nil
    ) -> AuditEntry {
        func state(_ version: String) -> State { .facts([("catalogVersion", .string(version))]) }
        return AuditEntry(
            action,
            of: .catalog,
            at: Clock.now(),
            by: AuditActor(.service, id: cause.rawValue),
            before: former.map(state),
            after: state(version),
            reason: reason
        )
    }
}
