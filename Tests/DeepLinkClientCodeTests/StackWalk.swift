import DeepLinkCore
import WaymarkTestSupport

/// Random stacks of a catalog that a link leads to.
struct StackWalk {
    private let catalog: RouteCatalog
    private var random: SeededGenerator

    init(_ catalog: RouteCatalog, seed: UInt64) {
        self.catalog = catalog
        random = SeededGenerator(seed: seed)
    }

    /// A stack with its link.
    mutating func next() throws -> (stack: [Destination], link: String) {
        for _ in 0..<1_000 {
            var stack: [Destination] = []
            var opens = catalog.entry
            let depth = Int.random(in: 1...7, using: &random)
            while stack.count < depth, let edge = opens.randomElement(using: &random).map({ catalog.edges[$0] }) {
                guard edge.isLinkable else { break }
                stack.append(destination(edge))
                opens = catalog.routes[edge.child].opens
            }
            // The stack of a link may have more than was walked: an initial child.
            guard !stack.isEmpty, let link = try? link(to: stack, catalog: catalog),
                case .plan(let plan) = resolve(
                    ResolutionRequest(link: try DeepLink(link)),
                    userLevel: .premiumUser,
                    catalog: catalog
                )
            else { continue }
            return (plan.stack, link)
        }
        throw NoStackError()
    }

    struct NoStackError: Error {}

    private mutating func destination(_ edge: Edge) -> Destination {
        let values = edge.parameters.enumerated()
            .compactMap { index, parameter -> BoundParameter? in
                guard edge.alwaysHas(parameter: index) || random.oneIn(2) else { return nil }
                return BoundParameter(name: parameter.name, value: parameter.fixedValue ?? value(of: parameter.type))
            }
        return Destination(
            route: catalog.routes[edge.child].name,
            presentation: edge.presentation,
            parameters: values
        )
    }

    private mutating func value(of type: ParameterType) -> ParameterValue {
        switch type {
        case .scalar(let type): value(of: type)
        case .list(let type, _, _): .list([value(of: type)])
        case .object(let fields):
            .object(fields.map { BoundParameter(name: $0.name, value: value(of: $0.type)) })
        }
    }

    private mutating func value(of type: ScalarType) -> ParameterValue {
        switch type {
        case .string: .string(random.pick(["a", "b c", "12"]))
        case .int(let min, let max): .int(min ?? max ?? random.pick([1, 2, -3]))
        case .double: .double(random.pick([1, 2.5]))
        case .bool: .bool(random.oneIn(2))
        case .uuid: .string("00112233-4455-6677-8899-aabbccddeeff")
        case .date: .string("2026-02-28")
        case .dateTime: .string("2026-02-28T12:00:00Z")
        case .enumeration(let words): .string(random.pick(words.list))
        }
    }
}
