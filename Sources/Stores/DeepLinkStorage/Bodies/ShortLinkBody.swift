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
    private let status: Int?

    /// Creates the body of a link.
    ///
    /// - Parameters:
    ///   - link: The link.
    ///   - time: The time that decides its state.
    ///   - catalog: The catalog that decides its state.
    ///   - reader: The reader.
    ///   - status: The HTTP status of the line, in a response to a file of lines, or `nil` for a single link.
    package init(
        _ link: ShortLink,
        at time: Timestamp,
        in catalog: RouteCatalog,
        for reader: Reader,
        status: Int? = nil
    ) {
        self.init(
            link,
            state: ShortLinkState(of: link.contents, at: time, in: catalog),
            in: catalog,
            for: reader,
            status: status
        )
    }

    /// Creates the body of a link with its known state.
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

/// A page of short links, and the start of the next one.
package struct ShortLinkListBody: WireBody {
    private let links: [ShortLinkBody]
    private let next: String?

    /// Creates a page of links.
    ///
    /// `next` is the position at which the list continues, if it does.
    package init(_ links: [ShortLinkBody], next: String?) {
        self.links = links
        self.next = next
    }

    /// Writes the body as JSON.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("shortLinks", array: links) { writer, link in link.write(to: &writer) }
            guard let next else { return }
            writer.member("next", next)
        }
    }
}

/// A page of the changes of one short link, oldest first, and the start of the next one.
package struct ShortLinkHistoryBody: WireBody {
    private let changes: [ShortLinkChange]
    private let next: Int?

    /// Creates a page of changes.
    ///
    /// `next` is the last version of the page if more follow.
    package init(_ changes: [ShortLinkChange], next: Int?) {
        self.changes = changes
        self.next = next
    }

    /// Writes the body as JSON.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("history", array: changes) { writer, change in
                writer.object { writer in
                    writer.member("version", change.version)
                    writer.member("target", change.target.text)
                    writer.members([("label", change.label?.text), ("expires", change.expires?.rfc3339)])
                    if change.isWithdrawn { writer.member("withdrawn", true) }
                    writer.member("at", change.at.rfc3339)
                    writer.member("by", change.author)
                }
            }
            guard let next else { return }
            writer.member("next", next)
        }
    }
}
