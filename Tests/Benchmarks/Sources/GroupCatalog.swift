/// The text of a catalog with fifty screens that five tabs and every screen open: 2,750 edges.
enum GroupCatalog {
    private static let screens = (0..<50).map { "screen\($0)" }
    private static let tabs = (0..<5).map { "tab\($0)" }

    /// A link that passes edges of the group in tabs and screens.
    static let link = "app:///tab3/screen7/1/screen49/2/screen20/3"

    /// Returns the catalog with a group, or with each edge written in each route.
    static func text(inGroup: Bool) -> String {
        let edges = "{ " + screens.map { "\($0): push" }.joined(separator: ", ") + " }"
        let opens = inGroup ? "groups: [common]" : "opens: \(edges)"
        let opened = tabs.map { "\($0): tab" }.joined(separator: ", ")
        let head =
            "version: 1\norigins: [{ scheme: app }]\nentry: { tabs: { presentation: root, initial: true } }\n"
            + (inGroup ? "groups: { common: \(edges) }\n" : "")
            + "routes:\n  tabs: { path: \"\", opens: { \(opened) } }\n"
        return head + tabs.map { "  \($0): { \(opens) }\n" }.joined()
            + screens.map { "  \($0): { path: \"\($0)/{id}\", parameters: { id: int }, \(opens) }\n" }.joined()
    }
}
