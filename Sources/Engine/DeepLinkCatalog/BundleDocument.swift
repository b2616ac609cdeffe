package import DeepLinkCore
import DeepLinkFormats

/// The JSON of a catalog on its way to apps: numbered and dated.
///
/// ```json
/// {"sequence":7,"issuedAt":"2026-11-22T09:00:00Z","catalog":{…}}
/// ```
///
/// `catalog` is the body of `GET /v1/catalog`. Its issues have no lines, because no person writes it.
package struct BundleDocument: Sendable {
    /// The largest number of values that are read.
    static let maximumValueCount = 2_000_000

    /// The name of the document, for messages.
    private static let name = "bundle"

    /// The sequence number.
    package let sequence: Int64

    /// The time at which the bundle was made.
    package let issuedAt: Timestamp

    /// The catalog, with the version of the file that it was made from.
    package let catalog: RouteCatalog

    /// Reads and checks a bundle.
    ///
    /// - Throws: `CatalogError` with every issue of the catalog, or with one issue if the bytes are not a bundle.
    /// - Complexity: linear in the bytes.
    package init(_ bytes: [UInt8]) throws(CatalogError) {
        let log = IssueLog(file: Self.name)
        guard case .object(let members)? = try? JSONParser.parse(bytes, maximumValueCount: Self.maximumValueCount),
            case .integer(let sequence)? = members["sequence"], sequence >= 0,
            case .string(let text)? = members["issuedAt"], let issuedAt = Timestamp(rfc3339: text),
            let catalog = members["catalog"], case .object(let parts) = catalog,
            case .string(let version)? = parts["catalogVersion"],
            bytes.starts(with: Self.start(sequence: sequence, issuedAt: issuedAt))
        else {
            log.report(
                .wrongType,
                at: nil,
                message: "it isn't a bundle",
                hint: "Take the body of `GET /v1/catalog/bundle`, or the file of `waymark catalog bundle`, unchanged."
            )
            throw CatalogError(log.issues)
        }
        self.catalog = try DefinitionReader(log: log).catalog(YAMLNode(catalog), version: version)
        self.sequence = sequence
        self.issuedAt = issuedAt
    }

    /// Returns the bytes of a bundle, without the names of groups, since apps with version 1.0 would refuse them.
    package static func bytes(of catalog: RouteCatalog, sequence: Int64, issuedAt: Timestamp) -> [UInt8] {
        start(sequence: sequence, issuedAt: issuedAt) + CatalogBody(catalog, namingGroups: false).json + [
            UInt8(ascii: "}")
        ]
    }

    private static func start(sequence: Int64, issuedAt: Timestamp) -> [UInt8] {
        Array("{\"sequence\":\(sequence),\"issuedAt\":\"\(issuedAt.rfc3339)\",\"catalog\":".utf8)
    }
}

extension YAMLNode {
    /// Creates the tree of a JSON value, in which each mark is the beginning, or the mark of the nearest object with one.
    init(
        _ value: JSONValue,
        at start: YAMLMark = YAMLMark(line: 1, column: 1),
        locating mark: (JSONObject) -> YAMLMark? = { _ in nil }
    ) {
        var place = start
        if case .object(let members) = value, let own = mark(members) { place = own }
        let content: Content =
            switch value {
            case .null: .scalar("null", isPlain: true)
            case .bool(let flag): .scalar(flag ? "true" : "false", isPlain: true)
            case .integer(let number): .scalar(String(number), isPlain: true)
            case .number(let number): .scalar(DecimalText.print(number), isPlain: true)
            case .string(let text): .scalar(text, isPlain: false)
            case .array(let items): .sequence(items.map { YAMLNode($0, at: place, locating: mark) })
            case .object(let members):
                .mapping(
                    members.map { member in
                        let value = YAMLNode(member.value, at: place, locating: mark)
                        return YAMLPair(key: member.name.string, mark: place, value: value)
                    }
                )
            }
        self.init(content: content, mark: place)
    }
}
