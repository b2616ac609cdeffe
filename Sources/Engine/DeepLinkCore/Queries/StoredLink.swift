/// A link with the stack that it was made for, to be followed by catalogs of later.
package struct StoredLink: Hashable, Sendable {
    /// The canonical link at the time.
    package let text: String

    /// The stack at the time, root first.
    package let stack: [Destination]

    /// Creates a stored link from its parts.
    package init(text: String, stack: [Destination]) {
        self.text = text
        self.stack = stack
    }
}

/// The reason why no link of a catalog leads to a stored stack.
package enum BrokenLinkError: Error, Equatable, Sendable {
    /// The text does not resolve, and the stack has no other link.
    case unresolved(ResolutionError)

    /// The text is that of another stack by now, and the stored one has no link.
    case unprinted(LinkBuildingError)
}

extension RouteCatalog {
    /// Returns the link that leads to a stored stack by this catalog.
    ///
    /// That is the text, where it still resolves to the stack: to the same routes and presentations with all stored values.
    /// Beside them there may be values that the catalog gives by itself: defaults, fixed and inherited ones. Else it is the
    /// link that the catalog prints for the stack, if that leads to it. So a stored link never leads to another stack than
    /// it was made for, and it survives the change of a path.
    ///
    /// - Throws: ``BrokenLinkError``.
    /// - Complexity: that of resolving; where the text is outdated, that of building a link.
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

    /// Returns the reason why a text does not resolve, or `nil` if it does.
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
    /// Returns whether a link leads to a stored stack, and nowhere by way of another link.
    fileprivate func leads(_ link: DeepLink, to stack: [Destination]) -> Bool {
        guard let (origin, start) = catalog.origin(of: link),
            let path = try? catalog.routedPath(of: link, origin, from: start),
            let resolved = try? self.stack(of: path), resolved.redirect == nil, resolved.stack.count == stack.count
        else { return false }
        return zip(resolved.stack, stack).allSatisfy(isStored)
    }

    /// Returns whether an element is a stored destination: with its values, and beside them only values that the catalog
    /// gives by itself.
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
