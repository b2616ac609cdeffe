package import DeepLinkCore
package import DeepLinkFormats

/// The state of a short link at a moment by a catalog, which is what resolving its code comes to.
package enum ShortLinkState: Sendable {
    /// The code leads to a link.
    case working(DeepLink)

    /// The catalog has no link to the destination any more; the problem that a resolution is answered with.
    case broken(Problem)

    /// The time of the link is over.
    case expired

    /// The link was withdrawn.
    case withdrawn

    /// Judges a link.
    ///
    /// - Complexity: that of resolving; where the stored text is outdated, that of building a link.
    package init(of contents: ShortLinkContents, at time: Timestamp, in catalog: RouteCatalog) {
        if contents.isWithdrawn {
            self = .withdrawn
        } else if contents.hasExpired(at: time) {
            self = .expired
        } else {
            self.init(of: contents.target, in: catalog)
        }
    }

    /// Judges a destination.
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
    /// Reports a short link whose destination has no link any more.
    package init(_ error: BrokenLinkError) {
        switch error {
        case .unresolved(let failure): self.init(failure)
        case .unprinted(let fault): self.init(fault)
        }
    }

    /// Reports a code that leads nowhere, with the name of its link's state for publishers; strangers learn nothing of it.
    package static func unknownShortLink(state: String? = nil) -> Problem {
        Problem(
            .unknownShortLink,
            detail: "No short link with this code leads anywhere.",
            extensions: state.map { [.init("state", text: $0)] } ?? []
        )
    }
}
