package import DeepLinkCore

/// The filter of a list of short links.
package struct ShortLinkFilter: Hashable, Sendable {
    /// The state of links, as far as a store knows it without a catalog.
    package enum StoredState: Hashable, Sendable {
        /// All links.
        case any

        /// Links that are neither withdrawn nor expired at a time. The catalog decides whether they are working or
        /// broken.
        case current(at: Timestamp)

        /// Links that are expired at a time, and not withdrawn.
        case expired(at: Timestamp)

        /// Withdrawn links, whether or not they have expired.
        case withdrawn

        /// Returns whether a link has the state.
        package func includes(_ contents: ShortLinkContents) -> Bool {
            switch self {
            case .any: true
            case .current(let time): !contents.isWithdrawn && !contents.hasExpired(at: time)
            case .expired(let time): !contents.isWithdrawn && contents.hasExpired(at: time)
            case .withdrawn: contents.isWithdrawn
            }
        }
    }

    /// The route at the top of the stack, or `nil` for any.
    package var route: String?

    /// The shapes of stacks, or `nil` for any.
    package var shapes: [ShortLinkShape]?

    /// The label, or `nil` for any.
    package var label: ShortLinkLabel?

    /// The user whom links are about, or `nil` for all links, including links without a user.
    package var about: UserID?

    /// The state that listed links have.
    package var storedState: StoredState

    /// Creates a filter.
    ///
    /// By default, it includes all links.
    package init(
        route: String? = nil,
        shapes: [ShortLinkShape]? = nil,
        label: ShortLinkLabel? = nil,
        about: UserID? = nil,
        storedState: StoredState = .any
    ) {
        self.route = route
        self.shapes = shapes
        self.label = label
        self.about = about
        self.storedState = storedState
    }

    /// Returns whether a link passes the filter.
    package func includes(_ contents: ShortLinkContents) -> Bool {
        storedState.includes(contents) && (label == nil || contents.label == label)
            && (about == nil || contents.about == about) && includes(contents.target.shape)
    }

    /// Returns whether the filter accepts the shape.
    ///
    /// The links must still pass the other conditions.
    package func includes(_ shape: ShortLinkShape) -> Bool {
        (shapes?.contains(shape) ?? true) && (route == nil || shape.route.bytewise == route?.bytewise)
    }
    package static func == (left: ShortLinkFilter, right: ShortLinkFilter) -> Bool {
        left.route?.bytewise == right.route?.bytewise && left.shapes == right.shapes && left.label == right.label
            && left.about == right.about && left.storedState == right.storedState
    }

    /// Hashes texts by their bytes.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(route?.bytewise)
        hasher.combine(shapes)
        hasher.combine(label)
        hasher.combine(about)
        hasher.combine(storedState)
    }
}
