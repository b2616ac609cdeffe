package import DeepLinkCore

/// The state of the server, for supervisors.
package struct HealthBody: WireBody {
    private let status: String

    /// The version of the program, for the liveness check.
    private let version: String?

    /// The version of the catalog in force, for the readiness check.
    private let catalogVersion: String?

    /// The reason why a newer catalog is not in force, or `nil` if none was refused.
    private let catalogRefusal: String?

    /// The parts of a ready server that do not work.
    private let degraded: [String]

    /// Creates the body of a status, with the catalog version of a ready server.
    package init(
        status: String,
        version: String? = nil,
        catalogVersion: String? = nil,
        catalogRefusal: String? = nil,
        degraded: [String] = []
    ) {
        self.status = status
        self.version = version
        self.catalogVersion = catalogVersion
        self.catalogRefusal = catalogRefusal
        self.degraded = degraded
    }

    /// Writes the body as JSON.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("status", status)
            if let version { writer.member("version", version) }
            if let catalogVersion { writer.member("catalogVersion", catalogVersion) }
            if let catalogRefusal { writer.member("catalogRefusal", catalogRefusal) }
            if !degraded.isEmpty { writer.member("degraded", texts: degraded) }
        }
    }
}
