import ArgumentParser
import DeepLinkCore

/// A rewriting from a host of the previous service to another host, each possibly with its scheme.
struct HostRewriting: ExpressibleByArgument, Sendable {
    /// A host with its scheme, both in lower case.
    private struct Side {
        /// The scheme, or `nil` for any.
        let scheme: String?

        /// The host, possibly with a port.
        let host: String

        init?(_ text: Substring) {
            let text = String(text)
            let authority = text.authorityStart
            let host = authority.map { text[$0.start...] } ?? text[...]
            guard !host.isEmpty, !host.utf8.contains(where: { $0 <= 0x20 || "/?#@\\".utf8.contains($0) }) else {
                return nil
            }
            self.host = host.lowercased()
            scheme = authority?.scheme.lowercased()
        }
    }

    private let old: Side
    private let new: Side

    /// Reads `OLD=NEW`, or returns `nil` for another text.
    init?(argument: String) {
        let parts = argument.utf8.split(separator: UInt8(ascii: "="), omittingEmptySubsequences: false)
            .map(Substring.init)
        guard parts.count == 2, let old = Side(parts[0]), let new = Side(parts[1]) else { return nil }
        self.old = old
        self.new = new
    }

    /// Returns a link with the new host in place of the old one, or `nil` for a link of another host.
    ///
    /// - Complexity: Linear in the link's bytes.
    func rewritten(_ link: String) -> String? {
        guard let (scheme, start) = link.authorityStart else { return nil }
        let end = link.utf8[start...].firstIndex { "/?#".utf8.contains($0) } ?? link.endIndex
        guard link[start..<end].lowercased().bytewise == old.host.bytewise else { return nil }
        guard old.scheme.map({ scheme.lowercased().bytewise == $0.bytewise }) ?? true else { return nil }
        return (new.scheme ?? String(scheme)) + "://" + new.host + link[end...]
    }
}

extension [HostRewriting] {
    /// Returns a link by the first rewriting that applies, or the link itself if none does.
    func rewritten(_ link: String) -> String {
        for one in self {
            if let link = one.rewritten(link) { return link }
        }
        return link
    }
}
