import DeepLinkCore
import DeepLinkFormats
import Testing
import WaymarkTestSupport

/// One link of a real app, and what the app opens for it.
struct AppCase: Sendable, CustomTestStringConvertible {
    /// The apps, each with a catalog in `Config/examples/apps`.
    static let apps = ["deeplinkdispatch", "element-x", "wordpress-android"]

    /// The file's name without its ending.
    let app: String

    let id: String
    let link: String

    /// The routes, root first and without containers, each with its parameters; `nil` if the app opens nothing.
    let want: [(route: String, parameters: JSONObject)]?

    /// The level that the case asks with.
    let level: AuthorizationLevel

    /// The code of the problem that is expected; `nil` for any.
    let problem: String?

    /// The routes that upstream's cases leave out.
    let containers: [String]

    var testDescription: String { "\(id): \(link)" }

    /// Every case of every app; a file that cannot be read ends the run.
    static let all: [AppCase] = {
        do {
            return try apps.flatMap(read)
        } catch {
            preconditionFailure("the cases of an app cannot be read: \(error)")
        }
    }()

    private static func read(_ app: String) throws -> [AppCase] {
        let file = try JSONParser.parse(Checkout.bytes("Tests/DeepLinkCoreTests/Vectors/apps/\(app).json"))
        return file.items("cases")
            .map { entry in
                let want = entry.items("want").map { ($0.text("route") ?? "", $0.object("parameters")) }
                return AppCase(
                    app: app,
                    id: entry.text("id") ?? "",
                    link: entry.text("link") ?? "",
                    want: want.isEmpty ? nil : want,
                    level: entry.text("level").flatMap(AuthorizationLevel.init(name:)) ?? .premiumUser,
                    problem: entry.text("problem"),
                    containers: file.items("containers").compactMap(\.text)
                )
            }
    }

    // MARK: Answers

    /// Says how the answer differs from what the app does; `nil` if it does not.
    func difference(in catalog: RouteCatalog) -> String? {
        let request: ResolutionRequest
        do throws(LinkSyntaxError) {
            request = try ResolutionRequest(
                link: Array(link.utf8),
                mode: .replace,
                rootless: catalog.rootlessSchemes
            )
        } catch {
            return want == nil && problem ?? "malformed-link" == "malformed-link" ? nil : error.message
        }
        switch resolve(request, userLevel: level, catalog: catalog) {
        case .plan(let plan):
            guard want != nil else { return "it opens \(plan.stack.map(\.route))" }
            return difference(of: plan.stack, unused: plan.unusedQuery)
        case .denial(let denial):
            let code = Problem(denial).code.rawValue
            return problem == code ? difference(of: denial.gate?.stack ?? [], unused: []) : code
        case .otherApp(let denial): return Problem(denial).detail
        case .outdated(let update): return Problem(update).detail
        case .failure(let failure):
            let code = Problem(failure).code.rawValue
            return want == nil && problem ?? code == code ? nil : failure.message
        }
    }

    /// A value that upstream hands on although its screen does not declare it is unused here.
    private func difference(of stack: [Destination], unused: [QueryItem]) -> String? {
        let shown = stack.filter { destination in
            !containers.contains { $0.bytewise == destination.route.bytewise }
        }
        let lines = shown.map(ResolutionSummary.line)
        guard let want, want.map(\.route.bytewise) == shown.map(\.route.bytewise) else { return "it opens \(lines)" }
        for (wanted, got) in zip(want, shown) {
            var values = JSONObject()
            for parameter in got.parameters { values.set(JSONValue(parameter.value), for: parameter.name.bytewise) }
            for item in unused where values[item.name.bytewise] == nil && wanted.parameters[item.name.bytewise] != nil {
                values.set(item.value.map { .string($0) } ?? .null, for: item.name.bytewise)
            }
            guard values == wanted.parameters else { return "it opens \(lines)" }
        }
        return nil
    }
}

extension JSONValue {
    fileprivate init(_ value: ParameterValue) {
        switch value {
        case .string(let text): self = .string(text)
        case .int(let number): self = .integer(number)
        case .double(let number): self = .number(number)
        case .bool(let flag): self = .bool(flag)
        case .list(let items): self = .array(items.map(JSONValue.init))
        case .object(let fields):
            var object = JSONObject()
            for field in fields { object.set(JSONValue(field.value), for: field.name.bytewise) }
            self = .object(object)
        }
    }

    fileprivate var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    private subscript(name: String) -> JSONValue? {
        if case .object(let members) = self { members[name.bytewise] } else { nil }
    }

    fileprivate func text(_ name: String) -> String? { self[name]?.text }

    fileprivate func items(_ name: String) -> [JSONValue] {
        if case .array(let items)? = self[name] { items } else { [] }
    }

    fileprivate func object(_ name: String) -> JSONObject {
        if case .object(let members)? = self[name] { members } else { JSONObject() }
    }
}
