/// A kind of change from one catalog to another.
package enum ChangeRule: String, CaseIterable, Sendable {
    // The effects on links, as shown by resolving them with both catalogs.
    case linkDies = "link-dies"
    case linkDestinationChanged = "link-destination-changed"
    case linkCaptured = "link-captured"
    case linkStackChanged = "link-stack-changed"
    case linkParametersChanged = "link-parameters-changed"
    case linkCanonicalChanged = "link-canonical-changed"
    case signatureRequired = "signature-required"
    case linkRevives = "link-revives"
    case linkProblemChanged = "link-problem-changed"

    // The effect on stored links, as their database shows it.
    case shortLinksBreak = "short-links-break"

    // Access.
    case levelRaised = "level-raised"
    case levelLowered = "level-lowered"
    case requirementRaised = "requirement-raised"
    case requirementLowered = "requirement-lowered"
    case grantAdded = "grant-added"
    case grantRemoved = "grant-removed"
    case appVersionRaised = "app-version-raised"
    case appVersionLowered = "app-version-lowered"
    case signatureDropped = "signature-dropped"
    case levelsReordered = "levels-reordered"
    case gateChanged = "gate-changed"
    case gateRemoved = "gate-removed"

    // The apps that open the links.
    case routeAppChanged = "route-app-changed"
    case appRemoved = "app-removed"
    case appAdded = "app-added"

    // Differences of the files, which explain the above effects and add changes that no link shows.
    case originRemoved = "origin-removed"
    case hostRemoved = "host-removed"
    case pathPrefixChanged = "path-prefix-changed"
    case authorityChanged = "authority-changed"
    case plusIsSpaceChanged = "plus-is-space-changed"
    case shortLinksRemoved = "short-links-removed"
    case shortLinkTermsChanged = "short-link-terms-changed"
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
    case defaultRemoved = "default-removed"
    case parameterOptional = "parameter-optional"
    case pathParameterRenamed = "path-parameter-renamed"
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
    /// The audiences that a change of this kind harms, with the severity.
    ///
    /// This is the only model of severities. A finding may override it: a change that no link shows harms no link, and
    /// a new word of an enumeration harms older apps more than a new bound.
    package var harms: [ChangeAudience: Severity] {
        switch self {
        case .linkDies, .linkDestinationChanged, .linkCaptured, .signatureRequired, .shortLinksBreak:
            [.links: .breaking]
        case .linkStackChanged, .linkParametersChanged: [.links: .risk, .apps: .risk]
        case .linkCanonicalChanged: [.links: .risk]
        case .linkRevives, .linkProblemChanged: [.links: .info]
        case .levelRaised, .levelLowered, .signatureDropped, .gateChanged, .levelsReordered, .requirementRaised,
            .requirementLowered,
            .grantRemoved:
            [.access: .risk]
        case .grantAdded: [.access: .info]
        case .appVersionRaised: [.apps: .breaking]
        case .appVersionLowered: [.apps: .risk]
        case .gateRemoved: [.access: .breaking]
        case .routeAppChanged: [.links: .breaking, .apps: .breaking]
        case .appRemoved: [.apps: .breaking]
        case .originRemoved, .hostRemoved, .pathPrefixChanged, .authorityChanged, .shortLinksRemoved:
            [.links: .breaking]
        case .plusIsSpaceChanged: [.links: .risk]
        case .entryRemoved, .edgeRemoved, .edgeNotLinkable: [.links: .breaking]
        case .pathChanged, .aliasRemoved, .queryKeyChanged, .parameterSourceChanged: [.links: .breaking]
        case .parameterRequired, .parameterAddedRequired: [.links: .breaking, .code: .breaking]
        case .parameterNarrowed: [.links: .breaking]
        case .parameterWidened: [.apps: .info]
        case .parameterTypeChanged: [.apps: .breaking, .code: .breaking]
        case .defaultRemoved, .parameterOptional, .pathParameterRenamed: [.apps: .breaking, .code: .breaking]
        case .parameterRemoved: [.code: .risk]
        case .parameterAddedOptional, .descriptionChanged, .edgeAdded, .shortLinkTermsChanged, .appAdded: [:]
        case .routeRemoved, .routeRenamed: [.apps: .breaking, .code: .breaking]
        case .routeAdded: [.apps: .info]
        case .presentationChanged, .initialChanged, .listOrderChanged: [.apps: .risk]
        case .presentationUnknownToOlder: [.apps: .risk]
        case .associationNarrowed, .associationWidened: [.links: .risk, .apps: .risk]
        }
    }

    /// Whether a change of this kind needs a link that shows it.
    var needsWitness: Bool { harms[.links] == .breaking || self == .listOrderChanged }

    /// Whether a change of this kind admits previously denied users.
    package var widensAccess: Bool { [.levelLowered, .requirementLowered, .signatureDropped].contains(self) }
}
