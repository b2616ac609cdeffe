import DeepLinkCore
import DeepLinkFormats

/// The keys of a bundle that engines of 1.0 read.
///
/// They refuse a bundle with any other key. The lists are the keys of the readers of 1.0.0, in `Sources/DeepLinkCatalog` of
/// that release, with the names and the derived members that the JSON of a catalog has beside them.
enum FirstEngineKeys {
    /// A kind of object in a bundle.
    private struct Kind {
        /// The name in messages.
        let name: String

        let keys: [ByteText]

        /// The kinds of the values, or of their items.
        var inner: [ByteText: Kind] = [:]
    }

    private static let catalog = Kind(
        name: "",
        keys: [
            "catalogVersion", "origins", "plusIsSpace", "levels", "grants", "gates", "apps", "web", "entry", "routes",
        ],
        inner: ["origins": origin, "apps": apps, "web": site, "entry": edge, "routes": route]
    )

    private static let origin = Kind(
        name: "origins",
        keys: ["scheme", "hosts", "authority", "pathPrefix", "fragment", "shortLinks"]
    )

    private static let apps = Kind(
        name: "apps",
        keys: ["ios", "android"],
        inner: [
            "ios": Kind(name: "apps.ios", keys: ["appID", "storeID", "scheme", "storeQuery", "copy"]),
            "android": Kind(name: "apps.android", keys: ["package", "fingerprints", "storeQuery"]),
        ]
    )

    private static let site = Kind(
        name: "web",
        keys: ["name", "fallback", "hosts", "icon", "color", "keep", "previewBots", "maxAge"]
    )

    private static let shared: [ByteText] = [
        "path", "aliases", "query", "parameters", "authorizationLevel", "requires", "since", "location",
    ]

    private static let inner: [ByteText: Kind] = [
        "since": Kind(name: "since", keys: ["ios", "android"]),
        "parameters": Kind(
            name: "parameters",
            keys: [
                "name", "type", "from", "required", "default", "take", "values", "min", "max", "pattern", "fields",
                "value",
                "invalid", "inherit", "expected",
            ]
        ),
        "web": Kind(name: "routes.web", keys: ["title", "description", "image", "fallback", "open", "carry"]),
        "shortLink": Kind(name: "routes.shortLink", keys: ["length", "within"]),
    ]

    private static let edge = Kind(
        name: "opens",
        keys: shared + ["route", "presentation", "initial", "linkable"],
        inner: inner
    )

    private static let route = Kind(
        name: "routes",
        keys: shared + ["name", "link", "opens", "description", "web", "signed", "shortLink"],
        inner: inner.merging(["opens": edge]) { one, _ in one }
    )

    /// Returns the keys of a bundle that engines of 1.0 refuse, each once, such as `routes.app`.
    ///
    /// - Complexity: linear in the bytes.
    static func refused(by bundle: [UInt8]) -> [String] {
        guard case .object(let members)? = try? JSONParser.parse(bundle, maximumValueCount: .max),
            let value = members["catalog"]
        else { return [] }
        var found: [String] = []
        var known: Set<ByteText> = []
        func walk(_ value: JSONValue, as kind: Kind) {
            switch value {
            case .array(let items): for item in items { walk(item, as: kind) }
            case .object(let members):
                for (name, value) in members {
                    let path = kind.name.isEmpty ? name.string : "\(kind.name).\(name)"
                    if !kind.keys.contains(name), known.insert(path.bytewise).inserted { found.append(path) }
                    if let inner = kind.inner[name] { walk(value, as: inner) }
                }
            case .null, .bool, .integer, .number, .string: break
            }
        }
        walk(value, as: catalog)
        return found
    }
}
