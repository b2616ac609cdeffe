/// Is what a printed link has before its routes: scheme, host, and the origin that says how the two are read.
struct LinkBase {
    let origin: Origin
    let scheme: String
    let host: String

    /// Takes over scheme and host of a link of the origin.
    init(_ link: DeepLink, of origin: Origin) {
        self.origin = origin
        scheme = link.scheme
        host = link.host
    }

    /// Takes the origin's scheme and its first host.
    init(_ origin: Origin) {
        self.origin = origin
        scheme = origin.scheme
        host = origin.hosts.first ?? ""
    }

    /// Joins the base with segments that are percent-encoded already.
    func bytes(of segments: [[UInt8]]) -> [UInt8] {
        var segments = segments
        var bytes = Array(scheme.utf8) + "://".utf8
        switch origin.authority {
        case .hosts: bytes += host.utf8
        case .segment:
            if let first = segments.first, Self.isHost(first) {
                bytes += segments.removeFirst()
                if segments.isEmpty { return bytes }
            }
        case .ignore: break
        }
        guard !segments.isEmpty else { return bytes + [ASCII.slash] }
        for segment in segments { bytes += [ASCII.slash] + segment }
        return bytes
    }

    /// Tells whether a segment reads the same in the place of the host.
    private static func isHost(_ segment: [UInt8]) -> Bool {
        guard !segment.isEmpty, let link = try? DeepLink(bytes: Array("x://".utf8) + segment) else { return false }
        return link.host.utf8.elementsEqual(segment) && link.port == nil
    }
}
