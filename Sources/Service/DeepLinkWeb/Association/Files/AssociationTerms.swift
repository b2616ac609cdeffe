package import DeepLinkCore
import DeepLinkFormats

/// The rules of a host's files as sets, for comparison with another catalog's rules in any order.
package struct AssociationTerms: Sendable {
    /// The apps, and the patterns of the links that open in them, each with its platform.
    package private(set) var handed: Set<ByteText> = []

    /// The patterns of the links that are excluded from the apps, each with its platform.
    package private(set) var kept: Set<ByteText> = []

    /// Reads the files that a catalog generates for a host.
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
    }

    private mutating func addApple(_ json: JSONValue) {
        let links = json["applinks"]
        let variables = links["substitutionVariables"]
        for details in links["details"].items {
            for app in details["appIDs"].items { handed.insert("ios \(app.text)".bytewise) }
            for component in details["components"].items { add("ios", component: component, variables: variables) }
        }
    }

    private mutating func addAndroid(_ json: JSONValue) {
        for statement in json.items {
            let target = statement["target"]
            for fingerprint in target["sha256_cert_fingerprints"].items {
                handed.insert("android \(target["package_name"].text) \(fingerprint.text)".bytewise)
            }
            guard case .object(let extensions) = statement["relation_extensions"] else { continue }
            for relation in extensions.names {
                for component in (extensions[relation] ?? .null)["dynamic_app_link_components"].items {
                    add("android", component: component, variables: .null)
                }
            }
        }
    }

    private mutating func add(_ platform: String, component: JSONValue, variables: JSONValue) {
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
        let term = "\(platform) \(pattern)".bytewise
        if component["exclude"] == .bool(true) { kept.insert(term) } else { handed.insert(term) }
    }
}

extension JSONValue {
    /// The member of an object, or null if it is absent.
    fileprivate subscript(name: String) -> JSONValue {
        if case .object(let members) = self { members[name.bytewise] ?? .null } else { .null }
    }

    /// The items of an array, or none for any other value.
    fileprivate var items: [JSONValue] { if case .array(let items) = self { items } else { [] } }

    fileprivate var text: String { if case .string(let text) = self { text } else { "" } }
}
