import Foundation

/// Does the same job as an app team does by hand: `URLComponents` takes the link apart, a tree of screens is walked by
/// name, the level is checked, and `JSONEncoder` writes the plan.
///
/// It knows none of the catalog language, keeps no order of keys, and makes no canonical link: less than the engine does.
struct FoundationPeer {
    /// A screen that links can name.
    final class Screen {
        let name: String
        let presentation: String
        let level: Int
        let takesID: Bool
        var children: [String: Screen] = [:]
        var sheet: Screen?

        init(_ name: String, _ presentation: String, _ level: Int, takesID: Bool = false) {
            self.name = name
            self.presentation = presentation
            self.level = level
            self.takesID = takesID
        }
    }

    /// The answer, with the members of the service's.
    struct Plan: Encodable {
        struct Level: Encodable {
            let required: String
            let user: String
        }

        struct Destination: Encodable {
            let route: String
            let presentation: String
            let parameters: Parameters
        }

        struct Parameters: Encodable {
            var id: Int?
            var title: String?
        }

        let link: String
        let canonicalLink: String
        let authorizationLevel: Level
        let stack: [Destination]
        let catalogVersion: String
    }

    private static let levels = ["none", "onboardingCompleted", "signedInUser", "premiumUser"]

    private let root: Screen
    private let encoder: JSONEncoder

    init() {
        let character = Screen("character", "push", 2, takesID: true)
        character.children["character"] = character
        character.sheet = Screen("characterSheet", "sheet", 3)
        let characters = Screen("characters", "tab", 2)
        characters.children["character"] = character
        let onboarding = Screen("onboarding", "root", 0)
        onboarding.children["step1"] = Screen("step1", "push", 0)
        root = Screen("tabBar", "root", 0)
        root.children = ["characters": characters, "onboarding": onboarding]
        encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
    }

    /// Takes a link apart, and does nothing more.
    static func parse(_ link: String) -> URL? { URL(string: link) }

    /// Answers a link for a user of a level; `nil` if it leads nowhere, or the level is too low.
    func json(of link: String, level: Int) -> Data? {
        guard let components = URLComponents(string: link), components.scheme == "navigation",
            components.host == "loremipsum.com"
        else { return nil }
        var stack = [Plan.Destination(route: root.name, presentation: root.presentation, parameters: .init())]
        var required = 0
        var screen = root
        var segments = components.path.split(separator: "/").makeIterator()
        while let segment = segments.next() {
            guard let next = screen.children[String(segment)] else { return nil }
            var parameters = Plan.Parameters()
            if next.takesID {
                guard let id = segments.next().flatMap({ Int($0) }) else { return nil }
                parameters.id = id
            }
            stack.append(.init(route: next.name, presentation: next.presentation, parameters: parameters))
            required = max(required, next.level)
            screen = next
        }
        if let sheet = screen.sheet, let item = components.queryItems?.first(where: { $0.name == "sheet" }) {
            stack.append(
                .init(route: sheet.name, presentation: sheet.presentation, parameters: .init(title: item.value))
            )
            required = max(required, sheet.level)
        }
        guard required <= level else { return nil }
        return try? encoder.encode(
            Plan(
                link: link,
                canonicalLink: link,
                authorizationLevel: .init(required: Self.levels[required], user: Self.levels[level]),
                stack: stack,
                catalogVersion: "000000000000"
            )
        )
    }
}
