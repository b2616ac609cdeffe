package import DeepLinkCore
package import DeepLinkFormats

/// The state of a short link for a catalog at a given time, which decides how its code resolves.
package enum ShortLinkState: Sendable {
    /// The code resolves to a link.
    case working(DeepLink)

    /// The catalog no longer has a link to the destination. Resolving the code responds with the problem.
    case broken(Problem)

    /// The link has expired.
    case expired

    /// The link was withdrawn.
    case withdrawn

    /// Returns the state of a link.
    ///
    /// - Complexity: The same as resolving a link, plus building one if the stored text is outdated.
    package init(of contents: ShortLinkContents, at time: Timestamp, in catalog: RouteCatalog) {
        if contents.isWithdrawn {
            self = .withdrawn
        } else if contents.hasExpired(at: time) {
            self = .expired
        } else {
            self.init(of: contents.target, in: catalog)
        }
    }

    /// Returns the state of a destination.
    private init(of target: ShortLinkTarget, in catalog: RouteCatalog) {
        guard let stack = target.stack else {
            let fault = DestinationError(index: 0, route: "", message: "The stored destination cannot be read.")
            self = .broken(Problem(LinkBuildingError.destination(fault)))
            return
        }
        do throws(BrokenLinkError) {
            self = .working(try catalog.link(to: StoredLink(text: target.text, stack: stack)))
        } catch {
            self = .broken(Problem(error))
        }
    }

    /// The name of the state.
    package var name: String {
        switch self {
        case .working: "working"
        case .broken: "broken"
        case .expired: "expired"
        case .withdrawn: "withdrawn"
        }
    }

    /// The names of all states.
    package static let names = ["working", "broken", "expired", "withdrawn"]
}

extension Problem {
    /// Creates the problem of a short link that the catalog no longer resolves.
    package init(_ error: BrokenLinkError) {
        switch error {
        case .unresolved(let failure): self.init(failure)
        case .unprinted(let fault): self.init(fault)
        }
    }

    /// Returns the problem for a code that does not resolve.
    ///
    /// Publishers also get the name of the link's state, and other callers do not.
    package static func unknownShortLink(state: String? = nil) -> Problem {
        Problem(
            .unknownShortLink,
            detail: "No short link with this code leads anywhere.",
            extensions: state.map { [.init("state", text: $0)] } ?? []
        )
    }
}
