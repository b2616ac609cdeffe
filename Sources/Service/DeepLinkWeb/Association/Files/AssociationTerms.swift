package import DeepLinkCore
import DeepLinkFormats

/// The rules of a host's files as sets, for comparison with another catalog's rules in any order.
package struct AssociationTerms: Sendable {
    /// The apps, and the patterns of the links that open in each of them: `ios app`, `ios app /path/*`.
    package private(set) var handed: Set<ByteText> = []

    /// The patterns of the links that are excluded from each app.
    package private(set) var kept: Set<ByteText> = []

    /// The exclusions of each app, with their patterns without the app.
    private var exclusions: [(term: ByteText, pattern: ByteText)] = []

    /// The patterns without their apps, each with its platform: `ios /path/*`.
    private var handedByAny: Set<ByteText> = []

    /// Reads the files that a catalog generates for a host.
    ///
    /// A link that one app keeps from another opens in an app, and counts as handed alone.
    package init(_ files: AssociationFiles, host: String) {
        for platform in AssociationPlatform.allCases {
            guard let file = files.file(for: platform, host: host), let json = try? JSONParser.parse(file) else {
                continue
            }
            switch platform {
            case .ios: addApple(json)
            case .android: addAndroid(json)
            }
        }
        let ofAny = handedByAny
        kept = Set(exclusions.filter { !ofAny.contains($0.pattern) }.map { $0.term })
    }

    private mutating func addApple(_ json: JSONValue) {
        let links = json["applinks"]
        let variables = links["substitutionVariables"]
        for details in links["details"].items {
            for app in details["appIDs"].items.map({ "ios \($0.text)" }) {
                handed.insert(app.bytewise)
                for component in details["components"].items { add(app, component: component, variables: variables) }
            }
        }
    }

    private mutating func addAndroid(_ json: JSONValue) {
        for statement in json.items {
            let target = statement["target"]
            let app = "android \(target["package_name"].text)"
            for fingerprint in target["sha256_cert_fingerprints"].items {
                handed.insert("\(app) \(fingerprint.text)".bytewise)
            }
            guard case .object(let extensions) = statement["relation_extensions"] else { continue }
            for relation in extensions.names {
                for component in (extensions[relation] ?? .null)["dynamic_app_link_components"].items {
                    add(app, component: component, variables: .null)
                }
            }
        }
    }

    private mutating func add(_ app: String, component: JSONValue, variables: JSONValue) {
        let fragment = component["#"].text
        var pattern = component["/"].text + (fragment.isEmpty ? "" : "#" + fragment)
        if case .object(let query) = component["?"] {
            pattern += query.names.map { " with `\($0.string)`" }.joined()
        }
        // Variable names follow the order of the routes, and are arbitrary.
        if case .object(let members) = variables {
            for name in members.names where name.string.utf8.starts(with: "words".utf8) {
                let words = (members[name] ?? .null).items.map(\.text).joined(separator: "|")
                pattern = pattern.replacing("$(\(name.string))", with: "$(\(words))")
            }
        }
        let term = "\(app) \(pattern)".bytewise
        let platform = Substring(app.utf8.prefix { $0 != UInt8(ascii: " ") })
        let shared = "\(platform) \(pattern)".bytewise
        guard component["exclude"] != .bool(true) else { return exclusions.append((term, shared)) }
        handed.insert(term)
        handedByAny.insert(shared)
    }
}

extension JSONValue {
    /// The member of an object, or null if it is absent.
    fileprivate subscript(name: String) -> JSONValue {
        if case .object(let members) = self { members[name.bytewise] ?? .null } else { .null }
    }

    fileprivate var text: String { if case .string(let text) = self { text } else { "" } }
}
