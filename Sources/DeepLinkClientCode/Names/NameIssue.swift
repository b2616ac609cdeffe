package import DeepLinkCore

/// A name of a catalog that cannot stand in code, with its place and what would mend it.
package struct NameIssue: Hashable, Sendable {
    /// A rule that a name can break.
    package enum Code: String, Sendable {
        /// Two names are one in code.
        case nameClash = "name-clash"

        /// The name means something else in the language, or in what is generated.
        case reservedName = "reserved-name"

        /// No name of the language can be made of it.
        case illegalName = "illegal-name"

        /// One parameter has types, on several edges, that no one type holds.
        case mixedTypes = "mixed-types"

        /// Whether nothing is generated.
        package var isError: Bool { self != .mixedTypes }
    }

    /// The rule.
    package let code: Code

    /// The place.
    package let location: SourceLocation

    /// What is wrong, naming the thing.
    package let message: String

    /// What to do.
    package let hint: String
}

/// Everything for which no code is generated, in the order of the catalog.
package struct NameError: Error, Sendable {
    /// The issues, at least one.
    package let issues: [NameIssue]
}

/// A `--rename` that renames nothing.
package struct UnknownRenameError: Error, Hashable {
    /// What was to be renamed.
    package let name: String
}
