/// A kind of change from one catalog to another.
package enum ChangeRule: String, CaseIterable, Sendable {
    // What happens to links, as both engines show it.
    case linkDies = "link-dies"
    case linkDestinationChanged = "link-destination-changed"
    case linkCaptured = "link-captured"
    case linkStackChanged = "link-stack-changed"
    case linkParametersChanged = "link-parameters-changed"
    case linkCanonicalChanged = "link-canonical-changed"
    case signatureRequired = "signature-required"
    case linkRevives = "link-revives"
    case linkProblemChanged = "link-problem-changed"

    // Who may go where.
    case levelRaised = "level-raised"
    case levelLowered = "level-lowered"
    case appVersionRaised = "app-version-raised"
    case appVersionLowered = "app-version-lowered"
    case signatureDropped = "signature-dropped"
    case gateChanged = "gate-changed"
    case gateRemoved = "gate-removed"

    // What the files say, which explains the above and tells what no link shows.
    case originRemoved = "origin-removed"
    case hostRemoved = "host-removed"
    case pathPrefixChanged = "path-prefix-changed"
    case authorityChanged = "authority-changed"
    case plusIsSpaceChanged = "plus-is-space-changed"
    case entryRemoved = "entry-removed"
    case edgeRemoved = "edge-removed"
    case edgeAdded = "edge-added"
    case edgeNotLinkable = "edge-not-linkable"
    case pathChanged = "path-changed"
    case aliasRemoved = "alias-removed"
    case queryKeyChanged = "query-key-changed"
    case parameterSourceChanged = "parameter-source-changed"
    case parameterRequired = "parameter-required"
    case parameterAddedRequired = "parameter-added-required"
    case parameterNarrowed = "parameter-narrowed"
    case parameterWidened = "parameter-widened"
    case parameterTypeChanged = "parameter-type-changed"
    case parameterRemoved = "parameter-removed"
    case parameterAddedOptional = "parameter-added-optional"
    case descriptionChanged = "description-changed"
    case routeRemoved = "route-removed"
    case routeRenamed = "route-renamed"
    case routeAdded = "route-added"
    case presentationChanged = "presentation-changed"
    case initialChanged = "initial-changed"
    case listOrderChanged = "list-order-changed"
    case presentationUnknownToOlder = "presentation-unknown-to-older"
    case associationNarrowed = "association-narrowed"
    case associationWidened = "association-widened"
}

extension ChangeRule {
    /// Who is harmed by a change of this kind, and how badly: the one model from which every severity comes.
    ///
    /// A finding may know better: what no link shows harms no link, and a new word of an enumeration harms older apps
    /// more than a new bound.
    package var harms: [ChangeAudience: Severity] {
        switch self {
        case .linkDies, .linkDestinationChanged, .linkCaptured, .signatureRequired: [.links: .breaking]
        case .linkStackChanged, .linkParametersChanged: [.links: .risk, .apps: .risk]
        case .linkCanonicalChanged: [.links: .risk]
        case .linkRevives, .linkProblemChanged: [.links: .info]
        case .levelRaised, .levelLowered, .signatureDropped, .gateChanged: [.access: .risk]
        case .appVersionRaised: [.apps: .breaking]
        case .appVersionLowered: [.apps: .risk]
        case .gateRemoved: [.access: .breaking]
        case .originRemoved, .hostRemoved, .pathPrefixChanged, .authorityChanged: [.links: .breaking]
        case .plusIsSpaceChanged: [.links: .risk]
        case .entryRemoved, .edgeRemoved, .edgeNotLinkable: [.links: .breaking]
        case .pathChanged, .aliasRemoved, .queryKeyChanged, .parameterSourceChanged: [.links: .breaking]
        case .parameterRequired, .parameterAddedRequired: [.links: .breaking, .code: .breaking]
        case .parameterNarrowed: [.links: .breaking]
        case .parameterWidened: [.apps: .info]
        case .parameterTypeChanged: [.apps: .breaking, .code: .breaking]
        case .parameterRemoved: [.code: .risk]
        case .parameterAddedOptional, .descriptionChanged, .edgeAdded: [:]
        case .routeRemoved, .routeRenamed: [.apps: .breaking, .code: .breaking]
        case .routeAdded: [.apps: .info]
        case .presentationChanged, .initialChanged, .listOrderChanged: [.apps: .risk]
        case .presentationUnknownToOlder: [.apps: .risk]
        case .associationNarrowed, .associationWidened: [.links: .risk, .apps: .risk]
        }
    }

    /// Whether a change of this kind is only one where some link shows it.
    var needsWitness: Bool { harms[.links] == .breaking || self == .listOrderChanged }

    /// The advice for whoever did not mean the change; `nil` where there is nothing to say.
    package var hint: String? {
        switch self {
        case .linkDies: "Keep the old path as one of `aliases`, or publish no link of this kind any more."
        case .linkDestinationChanged: "Give the new destination another path."
        case .linkCaptured: "Give the new route a path that no value of the old one's parameter equals."
        case .linkCanonicalChanged: "Old spellings still resolve; caches and analytics see another link."
        case .signatureRequired: "Publish signed links first: those that are out without a signature are refused."
        case .signatureDropped: "Make sure that whoever can write a link may come in."
        case .levelLowered: "Make sure that users who were refused may come in."
        case .levelRaised: "Users who came in are sent to a gate now."
        case .appVersionRaised: "Apps that opened these links are told to update now."
        case .appVersionLowered: "Make sure that older apps have the destination."
        case .gateRemoved: "Users who lack the level are refused without a way on."
        case .originRemoved, .hostRemoved: "Keep the origin as long as links of it are out."
        case .pathPrefixChanged, .authorityChanged: "Add an origin beside the old one instead of changing it."
        case .entryRemoved, .edgeRemoved: "Keep the edge, or open the route elsewhere with the same path."
        case .edgeNotLinkable: "Keep the edge linkable as long as links of it are out."
        case .pathChanged: "Add the old path to `aliases`."
        case .aliasRemoved: "Keep the alias as long as links of it are out."
        case .queryKeyChanged: "Keep the old key: links that are out carry it."
        case .parameterSourceChanged: "Keep the old key with `from`: links that are out carry it."
        case .parameterRequired, .parameterAddedRequired: "Give the parameter a `default`, or let it be optional."
        case .parameterNarrowed: "Accept the old values, and let the app judge them."
        case .parameterTypeChanged: "Add a parameter of another name, and keep this one for older apps."
        case .parameterWidened: "Older apps must survive a value that they do not know."
        case .routeRemoved: "Keep the route as long as apps that know it are out."
        case .routeRenamed: "Keep the old name: apps know it."
        case .routeAdded: "Older apps must survive a route that they do not know."
        case .presentationUnknownToOlder: "Older apps must survive a presentation that they do not know."
        case .linkStackChanged, .linkParametersChanged, .linkRevives, .linkProblemChanged, .gateChanged,
            .plusIsSpaceChanged, .edgeAdded, .parameterRemoved, .parameterAddedOptional, .descriptionChanged,
            .presentationChanged, .initialChanged, .listOrderChanged, .associationNarrowed, .associationWidened:
            nil
        }
    }
}
