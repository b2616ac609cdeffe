package import DeepLinkCore

/// The settings by which requests are admitted.
///
/// A class, since every connection refers to it: that counts one reference, not one for each part.
package final class AdmissionPolicy: Sendable {
    /// The catalog in force.
    let catalog: LiveCatalog

    /// The authentication of callers, and the hosts at which the server answers.
    let hosts: HostSettings

    /// The rate limits of callers; `nil` for none.
    let callerLimits: CallerLimits?

    /// The pages of other origins that may read answers; `nil` for none.
    let crossOrigins: CrossOriginRules?

    /// Returns the current time.
    let now: @Sendable () -> Timestamp

    /// Creates a policy from its parts.
    package init(
        catalog: LiveCatalog,
        hosts: HostSettings,
        callerLimits: CallerLimits? = nil,
        crossOrigins: CrossOriginRules? = nil,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.catalog = catalog
        self.hosts = hosts
        self.callerLimits = callerLimits
        self.crossOrigins = crossOrigins
        self.now = now
    }
}
