import DeepLinkCore

/// The origins of an `AndroidManifest.xml`: what its intent filters for links name.
struct AndroidManifest {
    /// The schemes and hosts of the intent filters for links.
    private(set) var origins: [DraftOrigin] = []

    /// The links that the intent filters take.
    private(set) var intents: [IntentRule] = []

    /// The package of the app, if the manifest names it.
    private(set) var package: String?

    /// The decisions that are left to a person.
    private(set) var questions: [String] = []

    /// One intent filter.
    private struct Filter {
        var isForLinks = false
        var schemes: [String] = []
        var hosts: [String] = []
        var prefixes: [String] = []

        /// The attributes of paths with their values.
        var paths: [(name: String, value: String)] = []

        var hasOtherPaths: Bool { paths.count > prefixes.count }
    }

    /// The attributes of paths.
    private static let pathNames = [
        "android:path", "android:pathPrefix", "android:pathPattern", "android:pathAdvancedPattern",
        "android:pathSuffix",
    ]

    /// Reads a manifest.
    ///
    /// - Throws: ``ImportError`` with the line of a fault.
    init(_ bytes: [UInt8]) throws(ImportError) {
        var reader = try XMLTagReader(bytes)
        var filter: Filter?
        var isManifest = false
        while let tag = try reader.next() {
            switch tag.name.bytewise {
            case "manifest" where !tag.isEnd:
                isManifest = true
                package = tag["package"]
            case "intent-filter":
                if let filter, tag.isEnd { add(filter) }
                filter = tag.isEnd || tag.isEmpty ? nil : Filter()
            case "action" where tag["android:name"]?.bytewise == "android.intent.action.VIEW": filter?.isForLinks = true
            case "data" where !tag.isEnd: Self.read(tag, into: &filter)
            default: break
            }
        }
        guard isManifest else { throw ImportError(line: 1, "The file has no element `manifest`.") }
        origins = DraftOrigin.joined(origins)
    }

    private static func read(_ tag: XMLTagReader.Tag, into filter: inout Filter?) {
        if let scheme = tag["android:scheme"] { filter?.schemes.append(ScreenWords.lowercased(scheme).string) }
        if let host = tag["android:host"] {
            filter?.hosts.append(ScreenWords.lowercased(host).string + (tag["android:port"].map { ":\($0)" } ?? ""))
        }
        if let prefix = tag["android:pathPrefix"] { filter?.prefixes.append(prefix) }
        for name in pathNames { if let value = tag[name] { filter?.paths.append((name, value)) } }
    }

    private mutating func add(_ filter: Filter) {
        guard filter.isForLinks else { return }
        intents.append(IntentRule(schemes: filter.schemes, hosts: filter.hosts, paths: filter.paths))
        for scheme in filter.schemes {
            guard Self.isName(scheme) else {
                questions.append("scheme \(scheme): the build sets it. Name it in `origins`.")
                continue
            }
            let isWeb = scheme.bytewise == "https" || scheme.bytewise == "http"
            let hosts = filter.hosts.filter { host in
                let isPlain =
                    host.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || "-._:".utf8.contains($0) }
                    && !host.isEmpty
                if !isPlain {
                    questions.append("host \(host): it is a pattern, or the build sets it. Name it in `origins`.")
                }
                return isPlain
            }
            guard !isWeb || !hosts.isEmpty else { continue }
            var prefix: [String] = []
            if isWeb, filter.prefixes.count == 1, !filter.hasOtherPaths, let only = filter.prefixes.first {
                prefix = only.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
            }
            let areSegments = !isWeb && hosts.contains { !$0.utf8.contains(UInt8(ascii: ".")) }
            origins.append(
                DraftOrigin(
                    schemes: [scheme],
                    hosts: areSegments ? [] : hosts,
                    authority: areSegments || !isWeb && hosts.isEmpty ? .segment : .hosts,
                    pathPrefix: prefix
                )
            )
        }
    }

    private static func isName(_ scheme: String) -> Bool {
        scheme.utf8.first.map(ASCII.isLetter) == true
            && scheme.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || "+-.".utf8.contains($0) }
    }
}

/// The tags of an XML document, without a model of it: no entity is expanded, and no document type is read.
struct XMLTagReader {
    /// A name in angle brackets, with its attributes.
    struct Tag {
        let name: String
        let isEnd: Bool
        let isEmpty: Bool
        fileprivate(set) var attributes: [(name: String, value: String)] = []

        /// The value of an attribute.
        subscript(name: String) -> String? { attributes.first { $0.name.bytewise == name.bytewise }?.value }
    }

    /// The largest document, in bytes, and its largest depth.
    static let maximumByteCount = 4 * 1024 * 1024
    private static let maximumDepth = 64
    private static let maximumAttributeCount = 64

    private let bytes: [UInt8]
    private var position = 0
    private var depth = 0

    init(_ bytes: [UInt8]) throws(ImportError) {
        guard bytes.count <= Self.maximumByteCount else {
            throw ImportError("The manifest has more than \(Self.maximumByteCount) bytes.")
        }
        self.bytes = bytes
    }

    private func fault(_ message: String, at place: Int) -> ImportError {
        ImportError(line: bytes[..<min(place, bytes.count)].count { $0 == UInt8(ascii: "\n") } + 1, message)
    }

    private func follows(_ text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

    private mutating func skip(past text: String) throws(ImportError) {
        let start = position
        let word = Array(text.utf8)
        while position + word.count <= bytes.count, !follows(text) { position += 1 }
        guard position + word.count <= bytes.count else {
            throw fault("The markup that begins here has no end.", at: start)
        }
        position += word.count
    }

    /// Reads the next tag, or returns `nil` at the end.
    ///
    /// - Throws: ``ImportError`` with the line of a fault.
    mutating func next() throws(ImportError) -> Tag? {
        while let start = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
            position = start
            if follows("<!--") {
                try skip(past: "-->")
            } else if follows("<?") {
                try skip(past: "?>")
            } else if follows("<![CDATA[") {
                try skip(past: "]]>")
            } else if follows("<!") {
                throw fault("The document has a type of its own, which is not read.", at: start)
            } else {
                return try tag(from: start)
            }
        }
        return nil
    }

    private mutating func tag(from start: Int) throws(ImportError) -> Tag {
        position = start + 1
        let isEnd = position < bytes.count && bytes[position] == UInt8(ascii: "/")
        if isEnd { position += 1 }
        let name = self.name()
        guard !name.isEmpty else { throw fault("A tag has no name.", at: start) }
        var attributes: [(name: String, value: String)] = []
        while true {
            skipSpace()
            guard position < bytes.count else { throw fault("The tag `\(name)` has no end.", at: start) }
            switch bytes[position] {
            case UInt8(ascii: ">"):
                position += 1
                depth += isEnd ? -1 : 1
                guard depth <= Self.maximumDepth else {
                    throw fault("The document is deeper than \(Self.maximumDepth) tags.", at: start)
                }
                return Tag(name: name, isEnd: isEnd, isEmpty: false, attributes: attributes)
            case UInt8(ascii: "/"):
                position += 1
                guard position < bytes.count, bytes[position] == UInt8(ascii: ">") else {
                    throw fault("A slash stands alone in the tag `\(name)`.", at: start)
                }
                position += 1
                return Tag(name: name, isEnd: false, isEmpty: true, attributes: attributes)
            default:
                attributes.append(try attribute(of: name))
                guard attributes.count <= Self.maximumAttributeCount else {
                    throw fault("The tag `\(name)` has more than \(Self.maximumAttributeCount) attributes.", at: start)
                }
            }
        }
    }

    private mutating func attribute(of tag: String) throws(ImportError) -> (name: String, value: String) {
        let start = position
        let name = self.name()
        skipSpace()
        guard !name.isEmpty, position < bytes.count, bytes[position] == UInt8(ascii: "=") else {
            throw fault("The tag `\(tag)` has an attribute without a value.", at: start)
        }
        position += 1
        skipSpace()
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") || bytes[position] == UInt8(ascii: "'"),
            let end = bytes[(position + 1)...].firstIndex(of: bytes[position])
        else { throw fault("The attribute `\(name)` has no quoted value.", at: start) }
        let value = String(decoding: bytes[(position + 1)..<end], as: UTF8.self)
        position = end + 1
        guard value.utf8.count <= 1024 else {
            throw fault("The value of `\(name)` has more than 1024 bytes.", at: start)
        }
        return (name, value)
    }

    private mutating func name() -> String {
        let start = position
        while position < bytes.count, !" \t\r\n=/><\"'".utf8.contains(bytes[position]) { position += 1 }
        return String(decoding: bytes[start..<position].prefix(256), as: UTF8.self)
    }

    private mutating func skipSpace() {
        while position < bytes.count, " \t\r\n".utf8.contains(bytes[position]) { position += 1 }
    }
}
