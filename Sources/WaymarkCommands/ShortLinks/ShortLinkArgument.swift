import ArgumentParser
import DeepLinkCore
import DeepLinkFormats
import DeepLinkShortLinks

/// The codes, hosts, labels and destinations of short links in arguments of commands.
enum ShortLinkArgument {
    /// Reads a code, or the code of a short link.
    static func code(_ text: String) throws(CommandError) -> ShortLinkCode {
        if let code = ShortLinkCode(text.codeOfShortLink) { return code }
        throw CommandError(
            .usage,
            message:
                "`\(text)` isn't a code: \(ShortLinkCode.minimumCount) to \(ShortLinkCode.maximumCount) of A–Z, a–z, "
                + "0–9, - and _, or a short link that ends with one."
        )
    }

    /// Reads a code that a link is to have.
    static func newCode(_ text: String) throws(CommandError) -> ShortLinkCode {
        guard let code = ShortLinkCode(text) else { return try code(text) }
        guard !ReservedPath.contains(code.folded.text) else {
            throw CommandError(.usage, message: "`\(text)` is a path of the server's own; choose another code.")
        }
        return code
    }

    /// Reads a host of short links.
    static func host(_ text: String, in catalog: RouteCatalog) throws(CommandError) -> String {
        let hosts = catalog.shortLinkOrigins.flatMap(\.hosts)
        if let host = hosts.first(where: { $0.bytewise == text.lowercased().bytewise }) { return host }
        throw CommandError(
            .usage,
            message: "`\(text)` isn't a host of short links; there are \(hosts.joined(separator: ", "))."
        )
    }

    /// Reads a label.
    static func label(_ text: String) throws(CommandError) -> ShortLinkLabel {
        if let label = ShortLinkLabel(text) { return label }
        throw CommandError(
            .usage,
            message: "a label has 1 to \(ShortLinkLabel.maximumByteCount) bytes of UTF-8 without control characters."
        )
    }

    /// Finds the destination of a link; of a short link, the one that it has by the catalog.
    ///
    /// - Throws: ``CommandError`` of code 65 if the text is no link, of code 1 if it leads nowhere; an error of the store.
    static func destination(
        _ text: String,
        _ destinations: ShortLinkDestinations,
        store: any ShortLinkStore
    ) async throws -> ShortLinkDestination {
        do {
            let link = try destinations.parse(text)
            let target = try await target(of: link, destinations.catalog, store: store)
            return try destinations.destination(of: text, target: target)
        } catch let fault as ShortLinkFault {
            let isMalformed = if case .syntax = fault { true } else { false }
            throw CommandError(isMalformed ? .badData : .no, message: fault.message)
        }
    }

    /// Returns the link that the code of a short link stands for; `nil` for any other link.
    private static func target(
        of link: DeepLink,
        _ catalog: RouteCatalog,
        store: any ShortLinkStore
    ) async throws -> LinkTarget? {
        guard let place = catalog.shortLinkPlace(in: link) else { return nil }
        guard let code = place.code.flatMap({ ShortLinkCode($0) }), let stored = try await store.storedLink(for: code)
        else {
            throw CommandError(.no, message: "no short link has this code.")
        }
        switch ShortLinkState(of: stored.contents, at: Clock.now(), in: catalog) {
        case .working(let target): return LinkTarget(target, isSigned: stored.contents.signature != nil)
        case .broken(let problem): throw CommandError(.no, message: "the short link is broken: \(problem.detail)")
        case .expired: throw CommandError(.no, message: "the short link has expired.")
        case .withdrawn: throw CommandError(.no, message: "the short link was withdrawn.")
        }
    }
}
