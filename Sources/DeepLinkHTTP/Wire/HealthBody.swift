/// Tells a supervisor how the server is.
struct HealthBody: WireBody {
    let status: String

    /// The catalog that answers, where the question was whether the server is ready.
    let catalogVersion: String?

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("status")
            writer.string(status)
            guard let catalogVersion else { return }
            writer.key("catalogVersion")
            writer.string(catalogVersion)
        }
    }
}
