import DeepLinkCore
import DeepLinkFormats

/// The apps and the common prefix of an `apple-app-site-association` file.
///
/// The file names no host, since each host has its own.
struct AssociationFile {
    /// Apps that the file names together, with their links.
    struct Group: Sendable {
        /// The identifiers of the apps.
        var appIDs: [String] = []

        /// The links of the apps.
        var links = AssociationLinks()
    }

    /// The groups of apps, in the order of the file.
    private(set) var groups: [Group] = []

    /// The identifiers of the apps, in the order of the file.
    private(set) var appIDs: [String] = []

    /// The segments with which all paths of the file begin.
    private(set) var prefix: [String] = []

    /// The decisions that are left to a person.
    private(set) var questions: [String] = []

    /// Reads a file.
    ///
    /// - Throws: ``ImportError`` if it has no `applinks`.
    init(_ json: JSONValue) throws(ImportError) {
        guard case .object(let object) = json, case .object(let links)? = object["applinks"] else {
            throw ImportError("The file has no `applinks`.")
        }
        var paths: [String] = []
        var details: [JSONValue] = []
        switch links["details"] {
        case .array(let list)?: details = list
        case .object(let apps)?:
            // The oldest form: from the identifier to its paths.
            for (name, value) in apps {
                guard case .object(var detail) = value else { continue }
                detail.set(.string(name.string), for: "appID")
                details.append(.object(detail))
            }
        default: break
        }
        for case .object(let detail) in details {
            var group = Group()
            if case .string(let id)? = detail["appID"] { group.appIDs.append(id) }
            if case .array(let ids)? = detail["appIDs"] { for case .string(let id) in ids { group.appIDs.append(id) } }
            if case .array(let list)? = detail["paths"] {
                for case .string(let path) in list {
                    paths.append(path)
                    let isExcluded = path.utf8.starts(with: "NOT ".utf8)
                    group.links.add(isExcluded ? String(path.dropFirst(4)) : path, isExcluded: isExcluded)
                }
            }
            if case .array(let list)? = detail["components"] {
                for case .object(let component) in list {
                    group.add(component)
                    if case .bool(true)? = component["exclude"] {
                        questions.append(
                            "The association file leaves out some paths: `web: { open: web }` does that for a route."
                        )
                    } else if case .string(let path)? = component["/"] {
                        paths.append(path)
                    }
                }
            }
            appIDs += group.appIDs
            group.appIDs = Self.unique(group.appIDs).filter(Self.isAppID)
            groups.append(group)
        }
        if paths.contains(where: { $0.utf8.starts(with: "NOT ".utf8) }) {
            questions.append("The association file leaves out some paths: `web: { open: web }` does that for a route.")
        }
        questions = questions.isEmpty ? [] : [questions[0]]
        appIDs = Self.unique(appIDs).filter(Self.isAppID)
        prefix = Self.commonPrefix(of: paths.filter { !$0.utf8.starts(with: "NOT ".utf8) })
    }

    private static func unique(_ texts: [String]) -> [String] {
        var seen: Set<ByteText> = []
        return texts.filter { seen.insert($0.bytewise).inserted }
    }

    /// Returns whether a text is a team's prefix with the identifier of a bundle.
    private static func isAppID(_ text: String) -> Bool {
        let parts = text.utf8.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == UInt8(ascii: ".") }
        return parts.count == 2 && parts[0].count == 10
            && parts[0].allSatisfy { ASCII.isDigit($0) || ASCII.isLetter($0) && $0 < 0x5B }
            && !parts[1].isEmpty
            && parts[1]
                .allSatisfy {
                    ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
                }
    }

    /// Returns the whole segments with which all of several paths with a wildcard begin.
    private static func commonPrefix(of paths: [String]) -> [String] {
        let split = paths.map { path in
            Array(path.utf8.split(separator: UInt8(ascii: "/")))
                .prefix { part in !part.contains(where: { "*?".utf8.contains($0) }) }
                .map { String(Substring($0)) }
        }
        guard paths.count > 1, var common = split.first else { return [] }
        for segments in split { common = zip(common, segments).prefix { $0.bytewise == $1.bytewise }.map(\.0) }
        return common
    }
}

extension AssociationFile.Group {
    /// Adds the pattern of a component.
    ///
    /// Only some links of a path that is excluded with a query or a fragment are excluded, so that the path counts.
    fileprivate mutating func add(_ component: JSONObject) {
        let isExcluded = if case .bool(true)? = component["exclude"] { true } else { false }
        let path = if case .string(let path)? = component["/"] { path } else { "*" }
        guard !isExcluded || component["?"] == nil && component["#"] == nil else { return }
        links.add(path, isExcluded: isExcluded)
    }
}
