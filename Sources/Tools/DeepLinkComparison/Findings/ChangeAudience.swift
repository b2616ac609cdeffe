/// An audience that a change of a catalog may harm.
package enum ChangeAudience: String, CaseIterable, Sendable {
    /// Users who open a published link.
    case links

    /// Published apps, which read the new catalog's plans with types generated from the old one.
    case apps

    /// Code that is generated from the catalog, or written against its names.
    case code

    /// Access control: users may reach other places than before.
    case access
}
