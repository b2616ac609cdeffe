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
            if let status {
                writer.key("status")
                writer.number(status)
            }
            writer.key("code")
            writer.string(link.code.text)
            writer.key("link")
            writer.string(catalog.shortLink(link.code.text, host: contents.host) ?? catalog.shortLink(link.code.text))
            writer.key("target")
            writer.string(target)
            writer.key("route")
            writer.string(contents.target.shape.route)
            if let level = requiredLevel {
                writer.key("requiredLevel")
                writer.string(catalog.levels.text(of: level))
            }
            for (name, text) in [
                ("name", link.naming?.name.text), ("label", contents.label?.text),
                ("expires", contents.expires?.rfc3339),
                ("about", reader == .admin ? contents.about?.text : nil),
            ] where text != nil {
                writer.key(name)
                writer.string(text)
            }
            writer.key("state")
            writer.string(state.name)
            if case .broken(let problem) = state {
                writer.key("problem")
                problem.write(to: &writer)
                writer.key("catalogVersion")
                writer.string(catalog.version)
            }
            writer.key("version")
            writer.number(link.version)
            writer.key("createdAt")
            writer.string(link.createdAt.rfc3339)
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
            writer.key("shortLinks")
            writer.array(links) { writer, link in link.write(to: &writer) }
            guard let next else { return }
            writer.key("next")
            writer.string(next)
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
            writer.key("history")
            writer.array(changes) { writer, change in
                writer.object { writer in
                    writer.key("version")
                    writer.number(change.version)
                    writer.key("target")
                    writer.string(change.target.text)
                    for (name, text) in [("label", change.label?.text), ("expires", change.expires?.rfc3339)]
                    where text != nil {
                        writer.key(name)
                        writer.string(text)
                    }
                    if change.isWithdrawn {
                        writer.key("withdrawn")
                        writer.value(.bool(true))
                    }
                    writer.key("at")
                    writer.string(change.at.rfc3339)
                    writer.key("by")
                    writer.string(change.author)
                }
            }
            guard let next else { return }
            writer.key("next")
            writer.number(next)
        }
    }
}
