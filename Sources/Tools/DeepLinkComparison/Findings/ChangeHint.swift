import DeepLinkCore
import DeepLinkFormats

extension Finding {
    /// Advice for an unintended change, or `nil` if none applies.
    package var hint: String? {
        switch identity.rule {
        case .linkDies: deathHint
        case .linkDestinationChanged where identity.subject.parameter != nil:
            "Keep the path and the query keys that hold the value."
        case .linkDestinationChanged: "Give the new destination another path."
        case .linkCaptured: "Give the new route a path that no link of the old one has."
        case .linkCanonicalChanged where severity == .breaking:
            "Keep the canonical link: signatures cover it, and published ones become invalid."
        case .linkCanonicalChanged: "Old spellings still resolve; caches and analytics see another link."
        case .signatureRequired: "Publish signed links first: published links without a signature fail."
        case .signatureDropped: "Make sure that anyone who can write a link may open it."
        case .levelLowered: "Make sure that users who were denied may be admitted."
        case .levelRaised: "Users who were admitted are sent to a gate now."
        case .requirementLowered: "Make sure that users without the grant may be admitted."
        case .requirementRaised: "Users who were admitted are sent to a gate now."
        case .grantRemoved: "Users who have the grant lose it; name the former name of a renamed one as `was`."
        case .appVersionRaised: "Apps that opened these links must be updated now."
        case .appVersionLowered: "Make sure that older apps have the destination."
        case .levelsReordered: "Keep the order; name the former name of a renamed level as `was`."
        case .routeAppChanged where severity == .breaking:
            "Leave out `app` as long as installed apps of the former app get these links."
        case .routeAppChanged:
            "Make sure that installed apps of every app can show these links: phones hand them over within days."
        case .appRemoved: "Keep the app as long as it is installed; the app that had no name says `was: unnamed`."
        case .gateRemoved: "Users who lack the level are denied without a gate."
        case .originRemoved: "Keep the origin as long as published links use it."
        case .shortLinksBreak:
            "Keep what their destinations need; a path may change, but not the route, its way in and its parameters."
        case .shortLinksRemoved: "Keep the origin as long as codes under it are published."
        case .hostRemoved: "Keep the host as long as published links use it."
        case .pathPrefixChanged, .authorityChanged: "Add an origin beside the old one instead of changing it."
        case .entryRemoved, .edgeRemoved:
            harms[.links] == nil
                ? "Keep the edge as long as published apps show it."
                : "Keep the edge, or open the route elsewhere with the same path."
        case .edgeNotLinkable: "Keep the edge linkable as long as published links use it."
        case .pathChanged: "Add the old path to `aliases`."
        case .aliasRemoved: "Keep the alias as long as published links use it."
        case .queryKeyChanged: "Keep the old key: published links use it."
        case .routeRemoved: "Keep the route as long as published apps know it."
        case .routeRenamed: "Keep the old name: apps know it."
        case .routeAdded: "Older apps must survive a route that they do not know."
        case .presentationUnknownToOlder: "Older apps must survive a presentation that they do not know."
        case .linkParametersChanged: "Make sure that published links may set the new values."
        case .associationNarrowed: "Keep the old paths as `aliases`, so that the app opens their links."
        case .associationWidened:
            "Make sure that installed apps can show these links: phones hand them over within days."
        default: parameterHint
        }
    }

    /// Advice for a link that dies, by the reason for its failure.
    private var deathHint: String {
        switch identity.new.flatMap({ ProblemCode(rawValue: $0.string) }) {
        case .invalidParameter: "Accept the values of published links, and make the missing ones optional."
        case .unknownOrigin: "Keep the origin as long as published links use it."
        case .noMatchingRoute: "Keep the old path as one of `aliases`, or publish no link of this kind any more."
        default: "Keep everything that published links of this kind need."
        }
    }

    /// The state of a parameter that links must set.
    private static let needed: ByteText = "required"

    private var parameterHint: String? {
        switch identity.rule {
        case .parameterSourceChanged:
            identity.old?.string.utf8.first == UInt8(ascii: "?")
                ? "Keep the old key with `from`: published links use it."
                : "Keep the old path as one of `aliases`: published links have the value there."
        case .parameterRequired, .parameterAddedRequired: "Give the parameter a `default`, or make it optional."
        case .parameterNarrowed: "Accept the old values, and let the app judge them."
        case .parameterTypeChanged: "Add a parameter of another name, and keep this one for older apps."
        // A default for an absent value is not new to apps.
        case .parameterWidened where identity.old == Self.needed: nil
        case .parameterWidened: "Older apps must survive a value that they do not know."
        case .defaultRemoved: "Keep a `default`: published apps rely on a value."
        case .parameterOptional: "Give the parameter a `default`: published apps rely on a value."
        case .pathParameterRenamed: "Keep the old name in the path: published apps read the value by it."
        case .parameterRemoved where harms[.apps] == .breaking:
            "Keep the parameter, with a fixed `value` if links no longer set it: published apps rely on it."
        default: nil
        }
    }
}
