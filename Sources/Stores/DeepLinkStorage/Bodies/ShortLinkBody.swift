package import DeepLinkCore
import DeepLinkFormats

/// The body of a short link, with its state for a catalog.
package struct ShortLinkBody: WireBody {
    /// The reader of a body.
    ///
    /// Different readers get different members.
    package enum Reader: Sendable {
        /// A caller that makes short links.
        case publisher

        /// A caller that also sees the user whom a link is about.
        case admin
    }

    private let link: ShortLink
    private let state: ShortLinkState
    private let catalog: RouteCatalog
    private let reader: Reader

    /// The HTTP status of the line, in a response to a file of lines, or `nil` for a single link.
    private let status: Int?

    /// Creates the body of a link.
    package init(
        _ link: ShortLink,
        state: ShortLinkState,
        in catalog: RouteCatalog,
        for reader: Reader,
        status: Int? = nil
    ) {
        self.link = link
        self.state = state
        self.catalog = catalog
        self.reader = reader
        self.status = status
    }

    /// Writes the body as JSON.
    package func write(to writer: inout JSONWriter) {
        let contents = link.contents
        writer.object { writer in
            if let status { writer.member("status", status) }
            writer.member("code", link.code.text)
            writer.key("link")
            writer.string(catalog.shortLink(link.code.text, host: contents.host) ?? catalog.shortLink(link.code.text))
            writer.member("target", target)
            writer.member("route", contents.target.shape.route)
            if let level = requiredLevel { writer.member("requiredLevel", catalog.levels.text(of: level)) }
            writer.members([
                ("name", link.naming?.name.text), ("label", contents.label?.text),
                ("expires", contents.expires?.rfc3339),
                ("about", reader == .admin ? contents.about?.text : nil),
            ])
            writer.member("state", state.name)
            if case .broken(let problem) = state {
                writer.key("problem")
                problem.write(to: &writer)
                writer.member("catalogVersion", catalog.version)
            }
            writer.member("version", link.version)
            writer.member("createdAt", link.createdAt.rfc3339)
        }
    }

    /// The link to the destination: from the catalog if it has one, otherwise as it was stored.
    private var target: String {
        if case .working(let link) = state { link.text } else { link.contents.target.text }
    }

    /// The level that the destination requires, or `nil` if the catalog lacks a link to it.
    private var requiredLevel: AuthorizationLevel? {
        guard let link = try? DeepLink(target, rootless: catalog.rootlessSchemes),
            case .plan(let plan) = resolve(ResolutionRequest(link: link), permissions: .all, catalog: catalog)
        else { return nil }
        if case .broken = state { return nil }
        return plan.requiredLevel
    }
}

extension ShortLinkChange: WireBody {
    /// Writes the change as JSON.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("version", version)
            writer.member("target", target.text)
            writer.members([("label", label?.text), ("expires", expires?.rfc3339)])
            if isWithdrawn { writer.member("withdrawn", true) }
            writer.member("at", at.rfc3339)
            writer.member("by", author)
        }
    }
}
