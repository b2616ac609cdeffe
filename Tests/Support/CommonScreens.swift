/// A catalog of tabs and of screens that each tab and each screen opens, with a group or with every edge by hand.
package enum CommonScreens {
    /// The number of screens.
    package static let count = 50

    /// The number of tabs.
    package static let tabCount = 5

    /// Returns the text of a catalog, where `path` is the path of the first screen.
    package static func text(inGroup: Bool, screens count: Int = count, path: String = "screen0/{id}") -> String {
        let screens = (0..<count).map { "screen\($0)" }
        let edges = "{ " + screens.map { "\($0): push" }.joined(separator: ", ") + " }"
        let opens = inGroup ? "groups: [common]" : "opens: \(edges)"
        let tabs = (0..<tabCount).map { "tab\($0)" }
        let first = "screen0: { presentation: push, path: \"\(path)\" }"
        let group = edges.replacing("screen0: push", with: first)
        return """
            version: 1
            origins: [{ scheme: app }]
            entry: { tabs: { presentation: root, initial: true } }
            \(inGroup ? "groups: { common: \(group) }\n" : "")routes:
              tabs: { path: "", opens: { \(tabs.map { "\($0): tab" }.joined(separator: ", ")) } }

            """
                + tabs.map { "  \($0): { \(opens.replacing("screen0: push", with: first)) }\n" }.joined()
                + screens.map {
                    "  \($0): { path: \"\($0)/{id}\", parameters: { id: int }, \(opens.replacing("screen0: push", with: first)) }\n"
                }
                .joined()
    }
}
