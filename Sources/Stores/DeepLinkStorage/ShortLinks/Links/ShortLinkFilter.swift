package import DeepLinkCore

/// The short links that a list is asked for.
package struct ShortLinkFilter: Hashable, Sendable {
    /// The standing of links, as far as a store knows it without a catalog.
    package enum Standing: Hashable, Sendable {
        /// All.
        case any

        /// Neither withdrawn nor ended at a moment: working or broken, as the catalog says.
        case current(at: Timestamp)

        /// Ended at a moment, and not withdrawn.
        case expired(at: Timestamp)

        /// Withdrawn.
        case withdrawn

        /// Returns whether a link has the standing.
        package func includes(_ contents: ShortLinkContents) -> Bool {
            switch self {
            case .any: true
            case .current(let time): !contents.isWithdrawn && !contents.hasExpired(at: time)
            case .expired(let time): !contents.isWithdrawn && contents.hasExpired(at: time)
            case .withdrawn: contents.isWithdrawn
            }
        }
    }

    /// The route on top of the stack; `nil` for any.
    package var route: String?

    /// The shapes of stacks; `nil` for any.
    package var shapes: [ShortLinkShape]?

    /// The label; `nil` for any.
    package var label: ShortLinkLabel?

    /// The user whom links are about; `nil` for any, and links about nobody.
    package var about: UserID?

    /// The standing.
    package var standing: Standing

    /// Creates a filter; by itself, of all links.
    package init(
        route: String? = nil,
        shapes: [ShortLinkShape]? = nil,
        label: ShortLinkLabel? = nil,
        about: UserID? = nil,
        standing: Standing = .any
    ) {
        self.route = route
        self.shapes = shapes
        self.label = label
        self.about = about
        self.standing = standing
    }

    /// Returns whether a link passes.
    package func includes(_ contents: ShortLinkContents) -> Bool {
        standing.includes(contents) && (label == nil || contents.label == label)
            && (about == nil || contents.about == about) && includes(contents.target.shape)
    }

    /// Returns whether links of a shape pass, as far as their shape is concerned.
    package func includes(_ shape: ShortLinkShape) -> Bool {
        (shapes?.contains(shape) ?? true) && (route == nil || shape.route.bytewise == route?.bytewise)
    }

    /// Compares texts by their bytes.
    package static func == (left: ShortLinkFilter, right: ShortLinkFilter) -> Bool {
        left.route?.bytewise == right.route?.bytewise && left.shapes == right.shapes && left.label == right.label
            && left.about == right.about && left.standing == right.standing
    }

    /// Hashes texts by their bytes.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(route?.bytewise)
        hasher.combine(shapes)
        hasher.combine(label)
        hasher.combine(about)
        hasher.combine(standing)
    }
}
