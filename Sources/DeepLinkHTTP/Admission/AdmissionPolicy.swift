package import DeepLinkAuthentication
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

    /// The authentication of callers.
    var authentication: Authentication { hosts.authentication }
}

/// The settings of the hosts at which the server answers, which depend on whether callers are authenticated.
package struct HostSettings: Sendable {
    /// The authentication of callers.
    let authentication: Authentication

    /// Whether web links accept a loopback name or an IP address as the first https origin, on a server that only this
    /// machine reaches.
    let answersLocalHosts: Bool

    /// Whether a server without credentials answers everyone who can connect, through proxies too
    /// (`--insecure-no-auth`).
    let isInsecure: Bool

    /// Creates settings from their parts.
    package init(authentication: Authentication, answersLocalHosts: Bool, isInsecure: Bool = false) {
        self.authentication = authentication
        self.answersLocalHosts = answersLocalHosts
        self.isInsecure = isInsecure
    }

    /// Returns the rule for the hosts of a catalog.
    func policy(for catalog: RouteCatalog) -> HostPolicy { HostPolicy(self, catalog: catalog) }
}
