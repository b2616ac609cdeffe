/// The presentation of a destination over the one below it.
package enum Presentation: Hashable, Sendable {
    /// Replaces the whole screen hierarchy.
    ///
    /// Only `entry` opens a root.
    case root

    /// Selects a tab of the destination below.
    case tab

    /// Pushes onto a navigation stack.
    case push

    /// Slides a sheet over the screen.
    case sheet

    /// Slides a sheet over the lower part of the screen.
    case bottomSheet

    /// Covers the whole screen.
    case fullScreenCover

    /// Points a bubble at its source.
    case popover

    /// Asks in an alert, and opens no further destinations.
    case alert

    /// Asks with a list of actions, and opens no further destinations.
    case confirmationDialog

    /// Appears in a way that the app defines: `custom:<name>` in catalogs and JSON.
    case custom(Identifier)

    private static let prefix = "custom:"

    private static let named: [Presentation] = [
        .root, .tab, .push, .sheet, .bottomSheet, .fullScreenCover, .popover, .alert, .confirmationDialog,
    ]

    /// The names that catalogs may use, `custom:<name>` last.
    package static let allNames: [String] = named.map { $0.name } + [prefix + "<name>"]

    /// Parses a presentation's name, or returns `nil` for any other text.
    ///
    /// The name of a custom presentation consists of letters, digits, `_`, `-` and `.`.
    package init?(name: String) {
        if let presentation = Self.named.first(where: { $0.name.bytewise == name.bytewise }) {
            self = presentation
            return
        }
        guard name.utf8.starts(with: Self.prefix.utf8) else { return nil }
        guard let custom = Identifier(Substring(name.utf8.dropFirst(Self.prefix.utf8.count))) else { return nil }
        self = .custom(custom)
    }

    /// The name in catalogs and JSON.
    package var name: String {
        switch self {
        case .root: "root"
        case .tab: "tab"
        case .push: "push"
        case .sheet: "sheet"
        case .bottomSheet: "bottomSheet"
        case .fullScreenCover: "fullScreenCover"
        case .popover: "popover"
        case .alert: "alert"
        case .confirmationDialog: "confirmationDialog"
        case .custom(let name): Self.prefix + name.text
        }
    }

    /// Whether the destination is a dialog, and so cannot open another one.
    var isDialog: Bool { self == .alert || self == .confirmationDialog }

    /// Whether a gate may be presented in this way over any screen, as a layer with destinations of its own.
    package var isLayer: Bool { ![.root, .tab, .push].contains(self) && !isDialog }

    /// The names of the presentations that are layers, `custom:<name>` last.
    package static let layerNames: [String] = named.filter { $0.isLayer }.map { $0.name } + [prefix + "<name>"]
}
