/// A link with its stack at the time of its creation, for later catalogs to resolve.
package struct StoredLink: Hashable, Sendable {
    /// The canonical link at that time.
    package let text: String

    /// The stack at that time, root first.
    package let stack: [Destination]

    /// Creates a stored link from its parts.
    package init(text: String, stack: [Destination]) {
        self.text = text
        self.stack = stack
    }
}

/// The reason why a catalog has no link to a stored stack.
package enum BrokenLinkError: Error, Equatable, Sendable {
    /// The text does not resolve, and no other link opens the stack.
    case unresolved(ResolutionError)

    /// The text now resolves to another stack, and no link opens the stored one.
    case unprinted(LinkBuildingError)
}

extension RouteCatalog {
    /// Returns this catalog's link to a stored stack.
    ///
    /// This is the text, if it still resolves to the stack: to the same routes and presentations with all stored
    /// values. The stack may have additional values that the catalog provides: defaults, fixed and inherited values.
    /// Otherwise it is the link that the catalog prints for the stack, if that resolves to it. A stored link therefore
    /// never opens a different stack, and it survives renamed paths.
    ///
    /// - Throws: ``BrokenLinkError`` if neither link exists.
    /// - Complexity: the same as for resolving and, for an outdated text, for building a link.
    package func link(to stored: StoredLink) throws(BrokenLinkError) -> DeepLink {
        let resolver = Resolver(self)
        if let link = try? DeepLink(stored.text, rootless: rootlessSchemes), resolver.leads(link, to: stored.stack) {
            return link
        }
        do throws(LinkBuildingError) {
            let printed = try DeepLinkCore.link(to: stored.stack, catalog: self)
            if let link = try? DeepLink(printed, rootless: rootlessSchemes), resolver.leads(link, to: stored.stack) {
                return link
            }
        } catch {
            throw failure(of: stored.text).map { .unresolved($0) } ?? .unprinted(error)
        }
        let fault = DestinationError(
            index: max(stored.stack.count - 1, 0),
            route: stored.stack.last?.route ?? "",
            message: "A link to the stack opens other destinations as well."
        )
        throw failure(of: stored.text).map { .unresolved($0) } ?? .unprinted(.destination(fault))
    }

    /// Returns the error of a text that does not resolve, or `nil` if it resolves.
    private func failure(of text: String) -> ResolutionError? {
        do throws(LinkSyntaxError) {
            let request = ResolutionRequest(link: try DeepLink(text, rootless: rootlessSchemes))
            guard case .failure(let failure) = resolve(request, permissions: .all, catalog: self) else { return nil }
            return failure
        } catch {
            return .malformedLink(error)
        }
    }
}

extension Resolver {
    /// Returns whether a link resolves to a stored stack without a redirect.
    fileprivate func leads(_ link: DeepLink, to stack: [Destination]) -> Bool {
        guard let (origin, start) = catalog.origin(of: link),
            let path = try? catalog.routedPath(of: link, origin, from: start),
            let resolved = try? self.stack(of: path), resolved.redirect == nil, resolved.stack.count == stack.count
        else { return false }
        return zip(resolved.stack, stack).allSatisfy(isStored)
    }

    /// Returns whether an element is a stored destination, with its values and otherwise only values that the catalog
    /// provides.
    private func isStored(_ element: StackElement, as stored: Destination) -> Bool {
        let edge = graph.edges[element.edge]
        guard edge.routeName.bytewise == stored.route.bytewise, edge.presentation == stored.presentation else {
            return false
        }
        var count = 0
        for value in element.arguments {
            if let own = stored.parameters.first(where: { $0.name.bytewise == value.name.bytewise }) {
                guard own.value == value.value else { return false }
                count += 1
                continue
            }
            let parameter = edge.parameters.first { $0.name.bytewise == value.name.bytewise }
            guard let parameter,
                parameter.isFixed || parameter.inheritance != nil || parameter.defaultValue == value.value
            else { return false }
        }
        return count == stored.parameters.count
    }
}
