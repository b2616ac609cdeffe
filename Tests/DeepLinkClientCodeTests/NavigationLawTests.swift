import DeepLinkCatalog
import DeepLinkCore
import Foundation
import Testing
import WaymarkRuntime
import WaymarkTestSupport

/// Checks that what the engine calls a transition leads, step by step, from one stack to the other.
@Suite struct NavigationLawTests {
    /// The catalogs of this checkout that links lead through.
    static let catalogs = [
        "Config/routes.yaml", "Config/examples/inventory.yaml", "Config/examples/suinavigation.yaml",
        "Config/examples/router.yaml", "Config/examples/folders.yaml", "Config/examples/apps/deeplinkdispatch.yaml",
        "Config/examples/apps/element-x.yaml", "Config/examples/apps/wordpress-android.yaml",
    ]

    /// A route of no catalog: every destination is unrecognized, and navigates all the same.
    private enum NoRoute: WaymarkRoute {
        static var catalogVersion: String { "" }

        var name: String { "" }

        var parameters: ParameterContainer { ParameterContainer() }

        init?(name: String, parameters: ParameterContainer) throws { nil }
    }

    private typealias State = NavigationState<NoRoute>

    private func decode<Value: Decodable>(_ type: Value.Type, _ write: (inout JSONWriter) -> Void) throws -> Value {
        var writer = JSONWriter()
        write(&writer)
        return try JSONDecoder().decode(type, from: Data(writer.bytes))
    }

    @Test(arguments: catalogs)
    func `applying the transition to one stack gives the other`(_ path: String) throws {
        let catalog = try CatalogLoader.load(contentsOf: Checkout.path(path))
        var walk = StackWalk(catalog, seed: 20)
        var stepCount = 0
        for _ in 0..<Effort.part(of: 10_000) {
            let (current, _) = try walk.next()
            let (_, link) = try walk.next()
            let request = ResolutionRequest(link: try DeepLink(link), current: .stack(current))
            guard case .plan(let plan) = resolve(request, userLevel: .premiumUser, catalog: catalog) else {
                Issue.record("\(link) is refused")
                continue
            }
            let decoded = try decode(WaymarkRuntime.RoutePlan<NoRoute>.self) { $0.plan(plan) }
            let start = State(stack: try decode([WaymarkDestination<NoRoute>].self) { $0.stack(current) })
            var state = start
            let steps = try state.apply(decoded)
            #expect(state.stack == decoded.stack, "from \(current) to \(link)")
            stepCount += steps.count

            var followed = start
            for step in steps {
                let before = followed
                followed.perform(step)
                #expect(followed != before, "\(step) changes nothing, from \(current) to \(link)")
                #expect(Self.isOneChange(step, from: before, to: followed), "\(step)")
            }
            #expect(followed == state)

            // Without a transition the app finds the way itself, and it is the same.
            #expect(start.steps(to: decoded.stack) == steps, "from \(current) to \(link)")

            var swiped = start
            swiped.dismiss(to: current.count - 1)
            let before = swiped
            #expect(throws: TransitionMismatch.self) { try swiped.apply(decoded) }
            #expect(swiped == before)
        }
        #expect(stepCount > Effort.part(of: 10_000), "\(stepCount)")
    }

    private static func isOneChange(_ step: NavigationStep<NoRoute>, from before: State, to after: State) -> Bool {
        let (lower, higher) = (before.layers.count, after.layers.count)
        return switch step {
        case .setRoot: higher == 1
        case .selectTab, .setPath: higher <= lower
        case .present: higher == lower + 1
        case .dismissLayer: higher <= lower && after.stack.count < before.stack.count
        }
    }

    /// Stacks that no link leads to as well, such as tabs without a bar and roots over roots.
    @Test func `a stack is the flat path of its tree, saved and read again`() throws {
        var random = SeededGenerator(seed: 30)
        let names = ["root", "tab", "push", "push", "sheet", "fullScreenCover", "custom:drawer"]
        var state = State()
        for _ in 0..<Effort.part(of: 4_000) {
            let stack = (0..<Int.random(in: 0...6, using: &random))
                .map { _ in
                    WaymarkDestination<NoRoute>(
                        route: random.pick(["a", "b", "c"]),
                        presentation: random.pick(names)
                    )
                }
            #expect(State(stack: stack).stack == stack)
            state.show(stack)
            #expect(state.stack == stack)
            #expect(try JSONDecoder().decode(State.self, from: try JSONEncoder().encode(state)) == state)
        }
    }

    @Test func `layers begin at what is neither a push nor a tab`() throws {
        let names = ["root", "tab", "push", "push", "sheet", "push", "custom:drawer"]
        var state = State(stack: names.map { WaymarkDestination(route: $0, presentation: $0) })
        #expect(state.layers.map(\.count) == [1, 2, 1])
        #expect(state.layers[0][0].tabs.map(\.count) == [3])
        #expect((0...3).map(state.index(ofLayer:)) == [0, 4, 6, 7])
        state.select(WaymarkDestination(route: "other", presentation: "tab"))
        #expect(state.stack.map(\.route.name) == ["root", "other"])
        #expect(state.tabs(at: 1).map(\.count) == [3, 1])
    }

    // MARK: Vectors

    /// The pairs by which the runtimes of the other languages are tested: `Tests/ClientCode/navigation.json`.
    private func vectors() throws -> String {
        let catalog = try SampleApp.catalog()
        var walk = StackWalk(catalog, seed: 7)
        var stacks: [[DeepLinkCore.Destination]] = [[]]
        var links: [String] = [""]
        while stacks.count < 60 {
            let (stack, link) = try walk.next()
            guard !stacks.contains(stack) else { continue }
            stacks.append(stack)
            links.append(link)
        }
        var random = SeededGenerator(seed: 8)
        var lines: [String] = []
        for _ in 0..<1_000 {
            let from = Int.random(in: 0..<stacks.count, using: &random)
            let to = Int.random(in: 1..<stacks.count, using: &random)
            let request = ResolutionRequest(link: try DeepLink(links[to]), current: .stack(stacks[from]))
            guard case .plan(let plan) = resolve(request, userLevel: .premiumUser, catalog: catalog),
                let transition = plan.transition
            else { continue }
            var state = State(
                stack: try decode([WaymarkDestination<NoRoute>].self) { $0.stack(stacks[from]) }
            )
            let target = try decode(WaymarkTransition<NoRoute>.self) { $0.transition(transition) }
            var words: [String] = []
            for step in try state.steps(for: target) {
                state.perform(step)
                words.append("\"\(Self.word(step)) \(state.stack.count)\"")
            }
            lines.append(
                "[\(from),\(to),\(transition.keep),\(transition.dismiss),[\(words.joined(separator: ","))]]"
            )
        }
        let shown = stacks.map { stack in
            var writer = JSONWriter()
            writer.stack(stack)
            return String(decoding: writer.bytes, as: UTF8.self)
        }
        return "{\"stacks\":[\n\(shown.joined(separator: ",\n"))\n],\n"
            + "\"pairs\":[\n\(lines.joined(separator: ",\n"))\n]}\n"
    }

    private static func word(_ step: NavigationStep<NoRoute>) -> String {
        switch step {
        case .setRoot: "setRoot"
        case .selectTab(let index, _): "selectTab \(index)"
        case .setPath(let index, _): "setPath \(index)"
        case .present: "present"
        case .dismissLayer(let index): "dismissLayer \(index)"
        }
    }

    /// With `WAYMARK_RECORD=1`, the file is written again.
    @Test func `the vectors are those of the engine`() throws {
        let path = "Tests/ClientCode/navigation.json"
        let vectors = try vectors()
        if ProcessInfo.processInfo.environment["WAYMARK_RECORD"] == "1" {
            try Data(vectors.utf8).write(to: URL(fileURLWithPath: Checkout.path(path)))
        }
        #expect(String(decoding: try Checkout.bytes(path), as: UTF8.self) == vectors)
    }
}
