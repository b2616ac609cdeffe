/// The result of a store's deletion.
package struct RemovedUserState: Hashable, Sendable {
    /// Whether there was a state; for an erasure, or a history.
    package let wasThere: Bool

    /// The change for the audit log; `nil` if it isn't audited, or nothing changed.
    package let audited: AuditedChange?

    /// Creates a report from its parts.
    package init(wasThere: Bool, audited: AuditedChange? = nil) {
        self.wasThere = wasThere
        self.audited = audited
    }
}
