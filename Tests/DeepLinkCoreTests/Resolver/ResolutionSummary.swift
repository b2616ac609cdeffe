import DeepLinkCore
import WaymarkTestSupport

/// Spells a resolution in a few lines, for golden files that people read.
enum ResolutionSummary {
    static func lines(_ resolution: Resolution) -> [String] {
        switch resolution {
        case .plan(let plan): lines(plan)
        case .denial(let denial):
            [
                "denied \(denial.route) \(denial.levels.text(of: denial.requiredLevel))"
                    + (denial.missing.isEmpty ? "" : ", missing " + denial.missingNames.joined(separator: " ")),
                "gate \(denial.gate.map { denial.catalog.text(of: $0.gives) } ?? "-") \(denial.gate?.link ?? "-")",
            ] + (denial.gate?.stack ?? []).map(line) + (denial.gate?.transition.map { [line($0)] } ?? [])
        case .otherApp(let denial):
            ["other-app \(denial.route) \(denial.owner)", "has \(denial.app.text)"]
                + (denial.link.map { ["link \($0)"] } ?? []) + (denial.storeLink.map { ["store \($0)"] } ?? [])
        case .outdated(let update):
            [
                "outdated \(update.route) \(update.app.platform.rawValue)/\(update.requiredVersion.text)",
                "has \(update.app.text)",
            ] + (update.storeLink.map { ["store \($0)"] } ?? [])
        case .failure(.unknownOrigin): ["unknown-origin"]
        case .failure(.unknownShortLink): ["unknown-short-link"]
        case .failure(.invalidCurrentStack(let invalid)): ["invalid-current-stack", invalid.message]
        case .failure(.noMatchingRoute(let report)):
            ["no-matching-route"] + report.matched.map { "matched " + line($0) }
                + report.unmatched.map { "unmatched " + $0 } + report.suggestions.map { "suggestion " + $0 }
        case .failure(.invalidParameter(let invalid)):
            [
                "invalid-parameter \(invalid.route).\(invalid.parameter)",
                "value \(invalid.value ?? (invalid.isBare ? "bare" : "-")) at \(invalid.offset)",
                "expected \(invalid.expected)",
            ]
        case .failure(.conflictingDestinations(let routes)): ["conflicting-destinations"] + routes
        case .failure(.tooDeep(let limit)): ["too-deep \(limit)"]
        case .failure(.tooManyLinks(let limit)): ["too-many-links \(limit)"]
        case .failure(.malformedLink(let error)): ["malformed-link \(error.reason.rawValue) at \(error.offset)"]
        }
    }

    private static func lines(_ plan: RoutePlan) -> [String] {
        plan.stack.map(line)
            + (plan.canonicalLink == plan.link.text ? [] : ["canonical " + (plan.canonicalLink ?? "none")])
            + (plan.unusedFragment.map { ["unused #" + $0] } ?? [])
            + plan.unusedQuery.map { "unused \($0.name)\($0.value.map { "=" + $0 } ?? "")" }
            + plan.unresolved.map { "unresolved " + $0 }
            + (plan.transition.map { [line($0)] } ?? [])
            + (plan.appName.map { ["in " + $0] } ?? [])
            + plan.requiredVersions.map { "app \($0.key)/\($0.number.text)" }
            + (plan.requiredLevel == .lowest ? [] : ["level \(plan.catalog.levels.text(of: plan.requiredLevel))"])
            + (plan.requiredGrants.isEmpty
                ? [] : ["grants " + plan.catalog.grants.texts(of: plan.requiredGrants).joined(separator: " ")])
    }

    private static func line(_ transition: Transition) -> String {
        "keep \(transition.keep), dismiss \(transition.dismiss), present \(transition.present.count)"
            + (transition.unknownFrom.map { ", unknown from \($0)" } ?? "")
    }

    /// Spells one destination: its presentation, place and values.
    static func line(_ destination: Destination) -> String {
        ([destination.presentation.name, destination.route]
            + destination.parameters.map { "\($0.name)=\(spelled($0.value))" })
            .joined(separator: " ")
    }

    private static func spelled(_ value: ParameterValue) -> String {
        switch value {
        case .string(let text): "'\(text)'"
        case .list(let items): "[" + items.map(spelled).joined(separator: " ") + "]"
        case .object(let fields): "{" + fields.map { "\($0.name)=\(spelled($0.value))" }.joined(separator: " ") + "}"
        case .int, .double, .bool: value.text
        }
    }
}
