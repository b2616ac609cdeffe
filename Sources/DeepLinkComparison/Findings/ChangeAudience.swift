/// Who is harmed by a change of a catalog.
package enum ChangeAudience: String, CaseIterable, Sendable {
    /// Whoever opens a link that was published.
    case links

    /// Apps in the field, which read the new catalog's plans with what they know of the old one.
    case apps

    /// Code that is generated from the catalog, or written against its names.
    case code

    /// Users, who may go elsewhere than before.
    case access
}
