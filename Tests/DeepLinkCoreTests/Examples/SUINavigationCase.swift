import DeepLinkCore
import Foundation
import Testing
import WaymarkTestSupport

/// One case of `suinavigation.json`: a stack to start from, a link, and the stack that upstream shows then.
struct SUINavigationCase: Sendable, CustomTestStringConvertible {
    let id: String
    let link: String
    let mode: ResolutionRequest.Mode
    let start: [Destination]
    let expected: [Destination]

    /// The segment at which upstream stopped silently; `nil` if it took the whole path.
    let stoppedAt: String?

    var testDescription: String { "\(id): \(link)" }

    static let all: [SUINavigationCase] = {
        do {
            let data = Data(try Checkout.bytes("Tests/DeepLinkCoreTests/Vectors/suinavigation.json"))
            let root = try JSONSerialization.jsonObject(with: data) as? [String: Any]
            return (root?["cases"] as? [[String: Any]] ?? []).map(SUINavigationCase.init)
        } catch {
            preconditionFailure("the vectors of SUINavigation cannot be read: \(error)")
        }
    }()

    private init(_ json: [String: Any]) {
        let expected = json["expected"] as? [String: Any] ?? [:]
        id = json["id"] as? String ?? ""
        link = json["link"] as? String ?? ""
        mode = json["mode"] as? String == "append" ? .append : .replace
        start = Self.stack(json["start"] as? [String: Any] ?? [:])
        self.expected = Self.stack(expected)
        stoppedAt = expected["stopped_at"] as? String
    }

    /// Reads the containers, outermost first, as one stack: each container's root, then its screens.
    private static func stack(_ json: [String: Any]) -> [Destination] {
        let containers = json["containers"] as? [[String: Any]] ?? []
        return containers.flatMap { container -> [Destination] in
            let root = container["root"] as? String ?? ""
            var parameters = container["root_params"] as? [String: Any] ?? [:]
            // The selected tab stands beside the containers; here it is a parameter of the tab bar.
            if root == "MainTabView" { parameters["tab"] = json["tab"] }
            let presentation = container["presented_as"] as? String ?? "root"
            return [destination(root, presentation, parameters)]
                + (container["stack"] as? [[String: Any]] ?? [])
                .map { screen in
                    destination(
                        screen["screen"] as? String ?? "",
                        screen["presentation"] as? String ?? "",
                        screen["params"] as? [String: Any] ?? [:]
                    )
                }
        }
    }

    private static func destination(
        _ route: String,
        _ presentation: String,
        _ parameters: [String: Any]
    ) -> Destination {
        Destination(
            route: route,
            presentation: Presentation(name: presentation) ?? .root,
            parameters: parameters.sorted { $0.key < $1.key }
                .map { name, value in BoundParameter(name: name, value: self.value(value)) }
        )
    }

    private static func value(_ json: Any) -> ParameterValue {
        switch json {
        case let number as Int: .int(Int64(number))
        case let fields as [String: Any]:
            // The object's fields as the catalog declares them.
            .object(
                ["id", "name", "date"]
                    .compactMap { name in
                        fields[name].map { BoundParameter(name: name, value: value($0)) }
                    }
            )
        default: .string(json as? String ?? "")
        }
    }
}
