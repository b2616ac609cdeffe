import DeepLinkCore

/// A file of an Expo Router tree.
package struct ExpoFile: Sendable {
    /// The path below the folder `app`, with slashes between its parts.
    package let path: String

    /// The text of a layout, or `nil` for every other file.
    package let text: String?

    /// Creates a file from its path and the text of a layout.
    package init(path: String, text: String? = nil) {
        self.path = path
        self.text = text
    }

    /// The largest layout that is read, in bytes.
    package static let maximumLayoutByteCount = 256 * 1024

    /// The file name of layouts, without its extension.
    package static let layoutStem = "_layout"

    /// Splits a file name into its stem and whether the file can be a route.
    ///
    /// The extensions are those of Expo Router's `matchers`: `.js`, `.jsx`, `.ts` and `.tsx`, behind an optional platform.
    package static func stem(of name: String) -> String? {
        let endings = [".tsx", ".jsx", ".ts", ".js"]
        guard let ending = endings.first(where: { name.utf8.suffix($0.utf8.count).elementsEqual($0.utf8) }) else {
            return nil
        }
        var stem = String(Substring(name.utf8.dropLast(ending.utf8.count)))
        for platform in [".ios", ".android", ".native", ".web"]
        where stem.utf8.suffix(platform.utf8.count).elementsEqual(platform.utf8) {
            stem = String(Substring(stem.utf8.dropLast(platform.utf8.count)))
        }
        return stem.isEmpty || stem.bytewise == ".d" ? nil : stem
    }
}

extension ExpoFile {
    /// The screens or the layouts of the file: several in an array of groups, none for a file without either.
    ///
    /// Each has the path of the screen without an ending, by which Expo Router knows it, or the folder of the layout.
    /// `hasTabs` is whether the layout shows tabs, or `nil` for a screen.
    package var places: [(path: String, hasTabs: Bool?)] {
        var parts = path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
        guard let name = parts.popLast(), let stem = Self.stem(of: name), stem.utf8.first != UInt8(ascii: "+"),
            !stem.utf8.contains(UInt8(ascii: ".")), !stem.utf8.suffix(4).elementsEqual("+api".utf8)
        else { return [] }
        let isLayout = stem.bytewise == Self.layoutStem.bytewise
        let hasTabs = isLayout ? ExpoLayout(text ?? "", path: path).hasTabs : nil
        var folders: [[String]] = [[]]
        for part in parts {
            folders = folders.flatMap { folder in ExpoTree.groups(part).map { folder + [$0] } }
            guard folders.count <= 64 else { return [] }
        }
        return folders.map { (($0 + (isLayout ? [] : [stem])).joined(separator: "/"), hasTabs) }
    }
}

/// The routes of an Expo Router tree, read from the names of its files and the texts of its layouts.
///
/// A layout is a container, a group adds nothing to a path, and an array of groups has its routes in each of them
/// (docs.expo.dev/router/basics/notation). Files whose names begin with a plus, or end with `+api`, are no routes.
struct ExpoTree {
    /// The largest number of files, and of folders in each other.
    static let maximumFileCount = 10_000
    static let maximumDepth = 24

    /// A folder with its files, below the folder before it.
    private final class Folder {
        let name: String
        var layout: ExpoLayout?
        var files: Set<ByteText> = []
        var folders: [ByteText: Folder] = [:]

        init(_ name: String) { self.name = name }
    }

    /// The containers and screens, parents first.
    private(set) var routes: [DeclaredRoute] = []

    /// The decisions that are left to a person, and the files without a route.
    private(set) var questions: [String] = []
    private(set) var leftOut: [String] = []

    private var names = DraftNames()
    private var paths: [ByteText: String] = [:]

    /// Reads the files of a tree.
    ///
    /// - Throws: ``ImportError`` if there are too many, or no route.
    init(_ files: [ExpoFile]) throws(ImportError) {
        guard files.count <= Self.maximumFileCount else {
            throw ImportError("The folder has more than \(Self.maximumFileCount) files.")
        }
        let root = Folder("")
        for file in files.sorted(by: { $0.path.bytewise < $1.path.bytewise }) { try add(file, to: root) }
        // Names of containers come after those of screens.
        let container = routes.count
        routes.append(
            DeclaredRoute(
                name: names.unique(["root"]),
                segments: [],
                parent: nil,
                presentation: "root",
                isInitial: true
            )
        )
        routes[container].comment = root.layout == nil ? "no layout" : "_layout"
        emit(root, parent: container, prefix: [], key: "", layout: root.layout, place: "")
        guard routes.count > 1 else {
            throw ImportError("The folder has no file of a route. Name the folder `app` of an Expo Router app.")
        }
        removeEmptyContainers()
    }

    private mutating func add(_ file: ExpoFile, to root: Folder) throws(ImportError) {
        var parts = file.path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
        guard let name = parts.popLast(), let stem = ExpoFile.stem(of: name) else { return }
        guard parts.count <= Self.maximumDepth else {
            throw ImportError("The folder is deeper than \(Self.maximumDepth) folders: \(file.path).")
        }
        let isTest =
            stem.utf8.contains(UInt8(ascii: "."))
            && [".test", ".spec", ".stories", ".d"]
                .contains { ending in
                    stem.utf8.suffix(ending.utf8.count).elementsEqual(ending.utf8)
                }
        guard !isTest, !parts.contains(where: { $0.utf8.starts(with: "__".utf8) || $0.utf8.first == UInt8(ascii: ".") })
        else {
            leftOut.append("\(file.path): a test or a declaration")
            return
        }
        // `+html`, `+not-found`, `+native-intent` and `+middleware`; `hello+api`.
        guard stem.utf8.first != UInt8(ascii: "+"), !stem.utf8.suffix(4).elementsEqual("+api".utf8) else { return }
        guard !Self.isGroup(stem) else {
            leftOut.append("\(file.path): a group is a folder, not a file")
            return
        }
        var folders = [root]
        for part in parts {
            folders = folders.flatMap { folder in Self.groups(part).map { Self.folder($0, in: folder) } }
        }
        guard folders.count <= 64 else {
            throw ImportError("The arrays of groups in \(file.path) have more than 64 combinations.")
        }
        for folder in folders {
            if stem.bytewise == ExpoFile.layoutStem.bytewise {
                folder.layout = ExpoLayout(file.text ?? "", path: file.path)
            } else {
                folder.files.insert(stem.bytewise)
            }
        }
    }

    private static func folder(_ name: String, in parent: Folder) -> Folder {
        if let folder = parent.folders[name.bytewise] { return folder }
        let folder = Folder(name)
        parent.folders[name.bytewise] = folder
        return folder
    }

    /// Returns the groups of an array such as `(home,search)`, or the name alone.
    fileprivate static func groups(_ name: String) -> [String] {
        guard isGroup(name), name.utf8.contains(UInt8(ascii: ",")) else { return [name] }
        return name.utf8.dropFirst().dropLast().split(separator: UInt8(ascii: ","))
            .map { part in "(" + String(decoding: part.filter { $0 != UInt8(ascii: " ") }, as: UTF8.self) + ")" }
    }

    private static func isGroup(_ name: String) -> Bool {
        name.utf8.count > 2 && name.utf8.first == UInt8(ascii: "(") && name.utf8.last == UInt8(ascii: ")")
    }

    // MARK: Routes

    /// Adds the routes of a folder.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - parent: The position of the container.
    ///   - prefix: The segments of the folders above.
    ///   - key: The path of the folder below its layout, by which the layout names screens.
    ///   - layout: The layout of the container.
    ///   - place: The path of the folder.
    private mutating func emit(
        _ folder: Folder,
        parent: Int,
        prefix: [DeclaredRoute.Segment],
        key: String,
        layout: ExpoLayout?,
        place: String
    ) {
        for file in folder.files.sorted() {
            let isIndex = file == ByteText("index")
            let own = isIndex ? [] : segments(of: file.string, at: place + file.string)
            guard let own else { continue }
            addScreen(
                segments: prefix + own,
                parent: parent,
                key: key + file.string,
                layout: layout,
                place: place + file.string
            )
        }
        for (name, child) in folder.folders.sorted(by: { $0.key < $1.key }) {
            let isGroup = Self.isGroup(name.string)
            let own = isGroup ? [] : segments(of: name.string, at: place + name.string)
            guard let own else { continue }
            var (container, below, layout) = (parent, key + name.string + "/", layout)
            if let inner = child.layout {
                container = addContainer(
                    name.string,
                    isGroup: isGroup,
                    parent: parent,
                    key: key + name.string,
                    layout: layout
                )
                (below, layout) = ("", inner)
            }
            emit(
                child,
                parent: container,
                prefix: prefix + own,
                key: below,
                layout: layout,
                place: place + name.string + "/"
            )
            if isGroup { ask(about: name.string, at: place + name.string) }
        }
        if folder.layout != nil { questions += folder.layout?.questions ?? [] }
    }

    private mutating func ask(about group: String, at place: String) {
        let word = Array(ScreenWords.lowercased(group).string.utf8)
        let marks = ["auth", "protected", "private", "signed", "logged", "premium", "paid"]
        guard marks.contains(where: { ExpoLayout.find($0, in: word[...]) != nil }) else { return }
        questions.append("\(place): which level do its screens need?")
    }

    private mutating func addContainer(_ name: String, isGroup: Bool, parent: Int, key: String, layout: ExpoLayout?)
        -> Int
    {
        let word = DraftNames.camelCase([name])
        let base = word.isEmpty ? "group" : word
        let screen = layout?.screen(key)
        routes.append(
            DeclaredRoute(
                name: names.unique(isGroup ? [base, base + "Group"] : [base + "Layout"]),
                segments: [],
                parent: parent,
                presentation: screen?.presentation ?? layout?.presentation ?? "push",
                isInitial: layout?.initial.map { $0.bytewise == key.bytewise } ?? false,
                comment: "the layout of \(name)",
                edgeComment: screen?.presentation == nil ? layout?.reason ?? "a guess" : "as its screen says"
            )
        )
        return routes.count - 1
    }

    private mutating func addScreen(
        segments: [DeclaredRoute.Segment],
        parent: Int,
        key: String,
        layout: ExpoLayout?,
        place: String
    ) {
        let text =
            segments.map {
                $0.parameterName == nil ? $0.text : "{}" + ($0.text.utf8.contains(UInt8(ascii: "*")) ? "*" : "")
            }
            .joined(separator: "/")
        let other = paths[text.bytewise]
        if other == nil { paths[text.bytewise] = place }
        let isReserved = segments.first.map { $0.parameterName == nil && ReservedPath.contains($0.text) } ?? false
        if let other { questions.append("\(place) has the path of \(other): links open the latter.") }
        if isReserved { questions.append("\(place): the server keeps this path for itself, so no link opens it.") }
        let screen = layout?.screen(key)
        let isFirst =
            layout?.initial.map { $0.bytewise == key.bytewise } ?? (layout?.hasTabs == true && key.bytewise == "index")
        let hasParameter = segments.contains { $0.parameterName != nil }
        if isFirst, hasParameter {
            questions.append("\(place) is its layout's first screen, but needs a value: no link shows it by default.")
        }
        routes.append(
            DeclaredRoute(
                name: names.unique(Self.candidates(segments)),
                segments: segments,
                parent: parent,
                presentation: screen?.presentation ?? layout?.presentation ?? "push",
                isInitial: isFirst && !hasParameter,
                isLinkable: other == nil && !isReserved,
                comment: place,
                edgeComment: screen?.presentation == nil ? layout?.reason ?? "a guess" : "as its screen says"
            )
        )
    }

    private static func candidates(_ segments: [DeclaredRoute.Segment]) -> [String] {
        let literals = segments.compactMap { $0.parameterName == nil ? $0.text : nil }
        guard let last = segments.last else { return ["home", "index"] }
        let camel = DraftNames.camelCase
        guard let parameter = last.parameterName else {
            return (1...literals.count).map { camel(literals.suffix($0)) } + [
                camel(segments.map { $0.parameterName ?? $0.text })
            ]
        }
        guard let noun = literals.last else { return [camel([parameter]), camel([parameter, "page"])] }
        return [
            camel([DraftNames.singular(noun)]), camel([DraftNames.singular(noun), "detail"]), camel([noun, parameter]),
            camel(segments.map { $0.parameterName ?? $0.text }),
        ]
    }

    /// Returns the segments of a file's or folder's name, or `nil` if no path can have it.
    private mutating func segments(of name: String, at place: String) -> [DeclaredRoute.Segment]? {
        let bytes = name.utf8
        if bytes.first == UInt8(ascii: "["), bytes.last == UInt8(ascii: "]") {
            let inner = bytes.dropFirst().dropLast()
            let isRest = inner.starts(with: "...".utf8)
            let word = String(Substring(isRest ? inner.dropFirst(3) : inner))
            guard let parameter = Identifier(word)?.text ?? Identifier(DraftNames.camelCase([word]))?.text else {
                leftOut.append("\(place): no parameter can have this name")
                return nil
            }
            return [isRest ? .rest(parameter) : .parameter(parameter)]
        }
        guard let pattern = try? PathPattern(name), case .literal? = pattern.segments.first, pattern.segments.count == 1
        else {
            leftOut.append("\(place): no path of a catalog can have this segment")
            return nil
        }
        return [.literal(name)]
    }

    /// Removes containers without a screen, such as the layout of a folder with server routes alone.
    private mutating func removeEmptyContainers() {
        let parents = Set(routes.compactMap(\.parent))
        let isEmpty = routes.indices.map { place in
            routes[place].segments.isEmpty && !parents.contains(place)
                && routes[place].comment?.utf8.starts(with: "the layout".utf8) == true
        }
        guard isEmpty.contains(true) else { return }
        var places: [Int: Int] = [:]
        var kept: [DeclaredRoute] = []
        for place in routes.indices where !isEmpty[place] {
            places[place] = kept.count
            kept.append(routes[place])
        }
        for place in kept.indices { kept[place].parent = kept[place].parent.flatMap { places[$0] } }
        routes = kept
        removeEmptyContainers()
    }
}
