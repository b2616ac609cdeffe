package import DeepLinkCore
package import DeepLinkFormats

/// A draft of a catalog from what a team has: links, and the tables of its app.
///
/// The links are read several times, so that any number of them is read in bounded memory. What is drafted does not
/// depend on their order.
///
/// ```swift
/// var work = try CatalogImport(tables)
/// repeat {
///     for link in links { work.read(link) }
/// } while work.finishPass()
/// let draft = work.draft()
/// ```
package struct CatalogImport {
    /// The tables of an app, each of them optional.
    package struct Tables: Sendable {
        /// The files of an Expo Router tree.
        package var expo: [ExpoFile]?

        /// React Navigation's `linking` object.
        package var linking: JSONValue?

        /// The bytes of each `AndroidManifest.xml`.
        package var manifests: [[UInt8]] = []

        /// The `apple-app-site-association` files.
        package var associations: [JSONValue] = []

        /// Creates a set without tables.
        package init() {}
    }

    /// A table that could not be read, with the reason.
    package enum Fault: Error, Sendable {
        case expo(ImportError)
        case linking(ImportError)

        /// The fault of a manifest, by its position among them.
        case manifest(ImportError, at: Int)

        /// The fault of an association file, by its position among them.
        case association(ImportError, at: Int)
    }

    private let declared: [DeclaredRoute]
    private let origins: [DraftOrigin]
    private let appleApps: [String]
    private let androidPackages: [String]

    /// The apps, if the files are of several.
    private let apps: ImportedApps

    private var inference: LinkInference

    /// The decisions that are left to a person.
    private let questions: [String]

    /// The parts of the tables without a route.
    private let leftOut: [String]

    /// Reads the tables of an app.
    ///
    /// - Throws: ``Fault`` for a table that cannot be read.
    package init(_ tables: Tables) throws(Fault) {
        var declared: [DeclaredRoute] = []
        var origins: [DraftOrigin] = []
        var questions: [String] = []
        var leftOut: [String] = []
        if let files = tables.expo {
            let tree: ExpoTree
            do throws(ImportError) { tree = try ExpoTree(files) } catch { throw .expo(error) }
            declared = tree.routes
            questions += tree.questions
            leftOut += tree.leftOut
        }
        if let json = tables.linking {
            let object: LinkingObject
            do throws(ImportError) { object = try LinkingObject(json) } catch { throw .linking(error) }
            if declared.isEmpty {
                declared = object.routes
                questions += object.questions
            } else {
                leftOut.append("the screens of the linking object: those of the Expo tree count")
            }
            origins += object.origins
            leftOut += object.leftOut
        }
        var manifests: [AndroidManifest] = []
        for (place, bytes) in tables.manifests.enumerated() {
            do throws(ImportError) { manifests.append(try AndroidManifest(bytes)) } catch {
                throw .manifest(error, at: place)
            }
        }
        var files: [AssociationFile] = []
        for (place, json) in tables.associations.enumerated() {
            do throws(ImportError) { files.append(try AssociationFile(json)) } catch {
                throw .association(error, at: place)
            }
        }
        let apps = ImportedApps(manifests, files)
        origins += manifests.flatMap(\.origins)
        questions += Self.unique((manifests.map(\.questions) + files.map(\.questions) + [apps.questions]).joined())
        // A prefix of several apps' paths divides their links. It isn't a part of the origin.
        let prefix = files.count == 1 && apps.all.isEmpty ? files[0].prefix : []
        if !apps.all.isEmpty {
            for place in origins.indices where origins[place].isWeb { origins[place].pathPrefix = [] }
        }
        if !prefix.isEmpty {
            for place in origins.indices where origins[place].isWeb && origins[place].pathPrefix.isEmpty {
                origins[place].pathPrefix = prefix
            }
        }
        self.declared = declared
        self.origins = DraftOrigin.joined(origins)
        self.questions = questions
        self.leftOut = leftOut
        self.apps = apps
        appleApps = Self.unique(files.flatMap(\.appIDs))
        androidPackages = Self.unique(manifests.compactMap(\.package))
        inference = LinkInference(declared: self.origins, tree: RouteTree(declared))
    }

    private static func unique(_ texts: some Sequence<String>) -> [String] {
        var known: Set<ByteText> = []
        return texts.filter { known.insert($0.bytewise).inserted }
    }

    /// The number of links that were read.
    package var linkCount: Int { inference.linkCount }

    /// Reads a link.
    package mutating func read(_ link: DeepLink) { inference.read(link) }

    /// Ends a pass over the links, and returns whether they have to be read again.
    package mutating func finishPass() -> Bool { inference.finishPass() }

    /// Returns the draft, after the last pass.
    package func draft() -> ImportedDraft {
        var builder = DraftBuilder(inference.tree, declared: declared, languages: inference.languages)
        var catalog = builder.build()
        catalog.origins = inference.choice.origins
        let hasWeb = catalog.origins.contains(where: \.isWeb)
        catalog.appleApps = hasWeb ? appleApps : []
        catalog.androidPackages = androidPackages
        if !apps.all.isEmpty {
            let named = apps.all.map {
                DraftApp(name: $0.name, appIDs: hasWeb ? $0.appIDs : [], packages: $0.packages)
            }
            catalog.divide(among: named) { apps.onlyApp(of: ComparedLink($0)) }
        }
        if !hasWeb { catalog.plusIsSpace = nil }
        let samples = inference.tree.nodes.flatMap { $0.samples.links.map(\.text) }
        return ImportedDraft(
            yaml: DraftWriter.text(of: catalog, heading: heading),
            routeCount: catalog.routes.count,
            samples: samples.map(\.bytewise).sorted().map(\.string),
            report: ImportReport(inference, questions: questions + ownQuestions(catalog), leftOut: leftOut)
        )
    }

    private var heading: [String] {
        let links = inference.linkCount
        return [
            "A draft by `waymark catalog import`\(links > 0 ? " from \(links.counted("link"))" : "").",
            "Each comment says what a line was guessed from: decide, and delete it.",
        ]
    }

    private func ownQuestions(_ catalog: DraftCatalog) -> [String] {
        var questions: [String] = []
        if !appleApps.isEmpty, !catalog.origins.contains(where: \.isWeb) {
            questions.append(
                "The association file has apps, and no input names their https host: add the origin, then `apps`."
            )
        }
        let pushed = catalog.routes.reduce(0) { $0 + $1.opens.count { $0.presentation.bytewise == "push" } }
        if pushed > 0 {
            questions.append("presentations: \(pushed) edges are `push`. Which of them are tabs, sheets or covers?")
        }
        questions.append("levels: no route requires one. Which screens need a user who is signed in, or has paid?")
        return questions
    }
}

/// A drafted catalog as text, with links for its cases and its report.
package struct ImportedDraft: Sendable {
    /// The catalog as YAML.
    package let yaml: String

    /// The number of routes.
    package let routeCount: Int

    /// Links that become cases, in the order of their bytes.
    let samples: [String]

    /// The report of the import.
    package var report: ImportReport
}

extension Int {
    /// Returns the number with a noun, in the plural unless it is one.
    func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
