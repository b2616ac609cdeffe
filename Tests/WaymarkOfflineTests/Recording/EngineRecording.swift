import DeepLinkCatalog
import DeepLinkCore
import DeepLinkFormats
import WaymarkOffline

/// The records of a file, in parts.
struct EngineRecording {
    /// The number of records of a part of the file, by their status.
    struct Part {
        let name: String
        fileprivate(set) var counts: [Int: Int] = [:]

        /// The part in words: the number of records, and the statuses, the lowest first.
        var line: String {
            let statuses = counts.sorted { $0.key < $1.key }
                .map { status, count in
                    status == 0 ? "\(count) refused" : status == 1 ? "\(count) loaded" : "\(count) of \(status)"
                }
            return "\(name): \(counts.values.reduce(0, +)), \(statuses.joined(separator: ", "))"
        }

        /// Whether the part has a record of each of some statuses.
        func has(_ statuses: Int...) -> Bool { statuses.allSatisfy { counts[$0] != nil } }
    }

    private(set) var bytes: [UInt8] = []
    private(set) var parts: [Part] = []
    private var catalog: RouteCatalog?

    /// The number of records.
    var count: Int { parts.reduce(0) { $0 + $1.counts.values.reduce(0, +) } }

    /// Begins a part, which the following records belong to.
    mutating func begin(_ name: String) { parts.append(Part(name: name)) }

    private mutating func add(_ kind: UInt8, _ request: [UInt8], status: Int, _ answer: [UInt8]) {
        bytes.append(kind)
        append(UInt32(request.count))
        bytes += request
        append(UInt32(status))
        append(UInt32(answer.count))
        bytes += answer
        if parts.isEmpty { begin("records") }
        parts[parts.count - 1].counts[status, default: 0] += 1
    }

    private mutating func append(_ number: UInt32) {
        for place in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: number >> UInt32(8 * place))) }
    }

    /// Adds a bundle with a catalog.
    mutating func load(_ catalog: RouteCatalog) {
        load(
            BundleDocument.bytes(
                of: catalog,
                sequence: Int64(count),
                issuedAt: Timestamp(millisecondsSinceEpoch: 1_800_000_000_000)
            )
        )
    }

    /// Adds the bytes of a bundle, good or not.
    ///
    /// - Returns: the catalog of the bundle, or `nil`.
    @discardableResult mutating func load(_ bundle: [UInt8]) -> RouteCatalog? {
        do throws(CatalogError) {
            catalog = try BundleDocument(bundle).catalog
            add(0, bundle, status: 1, [])
        } catch {
            catalog = nil
            var writer = JSONWriter()
            if let issue = error.issues.first { writer.issue(issue) }
            add(0, bundle, status: 0, writer.bytes)
        }
        return catalog
    }

    /// Adds the body of a request for `POST /v1/resolve`, if there is a catalog.
    mutating func resolve(_ body: [UInt8]) {
        guard let catalog else { return }
        let answer = LocalResolver(catalog).answer(body: body)
        add(1, body, status: answer.status, answer.body)
    }

    /// Adds the body of a request for `POST /v1/links`, if there is a catalog.
    mutating func link(_ body: [UInt8]) {
        guard let catalog else { return }
        let answer = LocalResolver(catalog).link(body: body)
        add(2, body, status: answer.status, answer.body)
    }
}
