package import DeepLinkCore

/// An issue of a catalog's name that is invalid in code, with its location and a hint.
package struct NameIssue: Hashable, Sendable {
    /// A rule that a name can break.
    package enum Code: String, Sendable {
        /// Two names are equal in code.
        case nameClash = "name-clash"

        /// The name has another meaning in the language or in generated code.
        case reservedName = "reserved-name"

        /// The name can't be converted into a valid one of the language.
        case illegalName = "illegal-name"

        /// A name is longer than compilers, or the file systems that they write to, allow.
        case nameTooLong = "name-too-long"

        /// One parameter has types, on several edges, without a common type.
        case mixedTypes = "mixed-types"

        /// Whether the issue prevents the generation.
        package var isError: Bool { self != .mixedTypes }
    }

    /// The rule.
    package let code: Code

    /// The location.
    package let location: SourceLocation

    /// The description of the issue, with the name of its subject.
    package let message: String

    /// The advice for mending it.
    package let hint: String
}

/// The error of names that prevent the generation, in the order of the catalog.
package struct NameError: Error, Sendable {
    /// The issues, at least one.
    package let issues: [NameIssue]
}

/// The error of a `--rename` that matches nothing.
package struct UnknownRenameError: Error, Hashable {
    /// The name that should be renamed.
    package let name: String
}
