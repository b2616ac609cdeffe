import DeepLinkCore
import DeepLinkFormats

/// The expected outcome of a link: a stack, a problem or a gate.
///
/// By default the link has to resolve.
///
/// Only the given members are compared. A destination may be just a route's name, a problem its code, and a gate its
/// level, its grant or its link.
struct ExpectedOutcome {
    /// A fault in an expectation, as a sentence.
    struct Fault: Error {
        let message: String
    }

    private var stack: [JSONObject]?
    private var canonicalLink: String?
    private var problem: JSONObject?
    private var gate: JSONObject?

    /// Expects only that the link resolves.
    init() {}

    /// Reads the expected outcome of a case.
    init(_ members: JSONObject, catalog: RouteCatalog?) throws(Fault) {
        if let value = members["stack"] { stack = try Self.stack(value) }
        switch members["canonicalLink"] {
        case nil: break
        case .string(let text)?: canonicalLink = text
        default: throw Fault(message: "`canonicalLink` isn't a string.")
        }
        switch members["problem"] {
        case nil: break
        case .string(let code)?: problem = ["code": .string(code)]
        case .object(let members)?: problem = members
        default: throw Fault(message: "`problem` is neither a code nor a mapping of members.")
        }
        if case .string(let code)? = problem?["code"], ProblemCode(bytewise: code) == nil {
            throw Fault(message: "`\(code)` is the code of no problem.")
        }
        switch members["gate"] {
        case nil: break
        case .string(let text)?:
            gate =
                switch catalog?.attainment(named: text) {
                case .level(let level)?: ["level": .string(catalog?.levels.text(of: level) ?? text)]
                case .grant(let grant)?: ["grant": .string(catalog?.grants.text(of: grant) ?? text)]
                case nil: ["link": .string(text)]
                }
        case .object(let members)?: gate = members
        default: throw Fault(message: "`gate` is neither a level or a grant, nor a link, nor a mapping of members.")
        }
        guard stack == nil && canonicalLink == nil || problem == nil && gate == nil else {
            throw Fault(message: "a link with a problem or a gate has no stack; keep one of them.")
        }
    }

    private static func stack(_ value: JSONValue) throws(Fault) -> [JSONObject] {
        guard case .array(let items) = value else { throw Fault(message: "`stack` isn't a list of destinations.") }
        var stack: [JSONObject] = []
        for item in items {
            switch item {
            case .string(let route): stack.append(["route": .string(route)])
            case .object(let members):
                let keys: [ByteText] = ["route", "presentation", "parameters"]
                if let unknown = members.names.first(where: { !keys.contains($0) }) {
                    throw Fault(message: "`\(unknown.string)` isn't a key of a destination.")
                }
                stack.append(members)
            default: throw Fault(message: "a destination of `stack` is neither a route nor a mapping.")
            }
        }
        return stack
    }

    /// Returns the difference of a plan from the expectation, or `nil` if it is met.
    func difference(from plan: RoutePlan) -> String? {
        if let problem {
            return "it leads to \(Self.routes(plan)), expected the problem \(Self.text(.object(problem)))"
        }
        if let gate { return "it leads to \(Self.routes(plan)), expected the gate \(Self.text(.object(gate)))" }
        guard case .object(let body)? = try? JSONParser.parse(PlanBody(plan).json) else {
            return "the answer isn't an object"
        }
        if let canonicalLink, body["canonicalLink"] != .string(canonicalLink) {
            return
                "`canonicalLink` is \(Self.text(body["canonicalLink"])), expected \(Self.text(.string(canonicalLink)))"
        }
        guard let stack else { return nil }
        guard case .array(let actual)? = body["stack"] else { return "the answer has no stack" }
        guard actual.count == stack.count else {
            return "the stack is \(Self.routes(plan)), expected \(stack.count) destinations"
        }
        for (index, pair) in zip(actual, stack).enumerated() {
            guard case .object(let destination) = pair.0 else { continue }
            if let difference = Self.difference(of: destination, from: pair.1, within: "stack[\(index)].") {
                return difference
            }
        }
        return nil
    }

    /// Returns the difference of a problem from the expectation, or `nil` if it is met.
    ///
    /// - Parameters:
    ///   - actual: The problem.
    ///   - advice: The sentence for people that follows the problem's own, with a space before it.
    /// - Returns: The difference in words, or `nil`.
    func difference(from actual: Problem, advice: String) -> String? {
        guard problem != nil || gate != nil else { return "\(actual.code.rawValue): \(actual.detail)\(advice)" }
        guard case .object(var body)? = try? JSONParser.parse(actual.json) else { return "the answer isn't an object" }
        body.set(.string(actual.code.rawValue), for: "code")
        if let problem, let difference = Self.difference(of: body, from: problem, within: "") { return difference }
        guard let gate else { return nil }
        guard case .object(let place)? = body["gate"] else {
            return "\(actual.code.rawValue), expected the gate \(Self.text(.object(gate)))"
        }
        if let given = Self.given(by: place), let wanted = Self.given(by: gate), given.kind != wanted.kind {
            return "the gate gives \(given.text), expected \(wanted.text)"
        }
        return Self.difference(of: place, from: gate, within: "gate.")
    }

    private static func difference(of actual: JSONObject, from wanted: JSONObject, within place: String) -> String? {
        for (name, value) in wanted where actual[name] != value {
            return "`\(place)\(name.string)` is \(text(actual[name])), expected \(text(value))"
        }
        return nil
    }

    /// Returns the kind and the name of a gate's level or grant.
    private static func given(by gate: JSONObject) -> (kind: ByteText, text: String)? {
        let kinds: [ByteText] = ["level", "grant"]
        return kinds.lazy
            .compactMap { kind in
                guard case .string(let name)? = gate[kind] else { return nil }
                return (kind, "the \(kind.string) \(name)")
            }
            .first
    }

    private static func routes(_ plan: RoutePlan) -> String { plan.stack.map(\.route).joined(separator: " › ") }

    private static func text(_ value: JSONValue?) -> String {
        guard let value else { return "absent" }
        var writer = JSONWriter()
        writer.json(value)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
