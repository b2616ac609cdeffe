import DeepLinkCore
package import DeepLinkFormats

/// An `assetlinks.json` file, read as one of the generations of Android reads it.
package struct AndroidAssociationFile {
    /// The statement of the file about one app.
    private struct Statement {
        let package: String

        /// The dynamic rules, or `nil` without a valid list of rules.
        let rules: [AndroidRule]?
    }

    private static let relation: ByteText = "delegate_permission/common.handle_all_urls"

    private let statements: [Statement]

    /// Reads the statements that let apps handle the site's links.
    ///
    /// - Parameters:
    ///   - json: the file.
    ///   - generation: the version of Android's parser.
    package init(_ json: JSONValue, generation: AndroidGeneration = .newest) {
        guard case .array(let items) = json else {
            statements = []
            return
        }
        statements = items.compactMap { Self.statement($0, generation: generation) }
    }

    private static func statement(_ value: JSONValue, generation: AndroidGeneration) -> Statement? {
        guard case .object(let members) = value, case .object(let target)? = members["target"],
            case .array(let relations)? = members["relation"],
            relations.contains(where: { if case .string(let text) = $0 { text.bytewise == relation } else { false } }),
            case .string(let namespace)? = target["namespace"], namespace.bytewise == "android_app",
            case .string(let package)? = target["package_name"]
        else { return nil }
        // A statement that includes others has no effect of its own.
        if case .string(let address)? = members["include"], !address.isEmpty { return nil }
        guard case .object(let extensions)? = members["relation_extensions"],
            case .object(let own)? = extensions[relation],
            case .array(let components)? = own["dynamic_app_link_components"], !components.isEmpty
        else { return Statement(package: package, rules: nil) }
        let rules = components.compactMap { AndroidRule($0, generation: generation) }
        // A single malformed rule invalidates the whole list.
        return Statement(package: package, rules: rules.count == components.count ? rules : nil)
    }

    /// Returns the verdict on a URL, by the first matching rule in the first statement for the app.
    ///
    /// Without rules, the app's manifest applies. It covers the whole host.
    ///
    /// - Parameters:
    ///   - url: the URL.
    ///   - domain: the host that serves the file. An empty text stands for any host, and a leading `*.` for all hosts
    ///     below.
    ///   - app: the package, or `nil` for any app: the verdict of the first that opens the URL, else of the first.
    ///   - effort: the budget of steps.
    /// - Returns: the verdict, closed for another host or app.
    /// - Throws: ``MatchingEffortError``.
    package func verdict(
        on url: PlatformURL,
        domain: String,
        app: String?,
        _ effort: inout MatchingEffort
    ) throws(MatchingEffortError) -> AssociationVerdict {
        let isBelow =
            domain.utf8.starts(with: "*.".utf8) && url.host.utf8.count >= domain.utf8.count
            && url.host.utf8.suffix(domain.utf8.count - 1).elementsEqual(domain.lowercased().utf8.dropFirst())
        guard url.isWeb, isBelow || url.isOf(domain: domain) else { return .closed }
        var closed: AssociationVerdict?
        var decided: Set<ByteText> = []
        for statement in statements where app == nil || statement.package.bytewise == app?.bytewise {
            guard decided.insert(statement.package.bytewise).inserted else { continue }
            let verdict = try verdict(of: statement, on: url, &effort)
            if verdict.opens { return verdict }
            closed = closed ?? verdict
        }
        return closed ?? .closed
    }

    /// Returns the verdict of a statement's rules.
    private func verdict(
        of statement: Statement,
        on url: PlatformURL,
        _ effort: inout MatchingEffort
    ) throws(MatchingEffortError) -> AssociationVerdict {
        guard let rules = statement.rules else { return AssociationVerdict(opens: true) }
        let path = Array(PlatformURL.decode(url.path).utf16)
        let fragment = url.fragment.map { Array(PlatformURL.decode($0).utf16) }
        let pairs = url.query.map { Self.pairs(PlatformURL.decode($0)).map { Array($0.utf16) } } ?? []
        for (index, rule) in rules.enumerated()
        where try rule.matches(path: path, query: pairs, fragment: fragment, &effort) {
            return AssociationVerdict(opens: !rule.isExcluded, rule: index, component: rule.source)
        }
        return .closed
    }

    /// Splits a query as `UriRelativeFilter` does: at `&`, or at `;` without any `&`.
    ///
    /// Java drops empty parts at the end.
    private static func pairs(_ query: String) -> [String] {
        func split(at separator: UInt8) -> [String] {
            var parts = query.utf8.split(separator: separator, omittingEmptySubsequences: false)
                .map { String(Substring($0)) }
            // A text without the separator is one part, even if it is empty.
            guard parts.count > 1 else { return parts }
            while parts.last?.isEmpty == true { parts.removeLast() }
            return parts
        }
        let parts = split(at: UInt8(ascii: "&"))
        return parts.count == 1 ? split(at: UInt8(ascii: ";")) : parts
    }
}

/// A version of the parser of dynamic rules in Android's StatementService, as installed on phones.
package enum AndroidGeneration: CaseIterable, Sendable {
    /// The parser of 2024. It escapes dots everywhere, so that a literal with a dot never matches.
    case first

    /// The next parser. It escapes no dots, so that a dot in a glob is any character.
    case second

    /// The newest parser, in which a dot is a dot.
    case third

    /// The generation to use for a single answer.
    package static let newest = AndroidGeneration.third
}
