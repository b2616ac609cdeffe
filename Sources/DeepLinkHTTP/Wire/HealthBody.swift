import DeepLinkCore

/// Tells a supervisor how the server is.
struct HealthBody: WireBody {
    let status: String

    /// The catalog that answers, where the question was whether the server is ready.
    var catalogVersion: String?

    /// Why a newer catalog is not in force; `nil` where there is none.
    var catalogRefusal: String?

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("status")
            writer.string(status)
            if let catalogVersion {
                writer.key("catalogVersion")
                writer.string(catalogVersion)
            }
            if let catalogRefusal {
                writer.key("catalogRefusal")
                writer.string(catalogRefusal)
            }
        }
    }
}
