package import DeepLinkCore

/// An issue of a catalog's name that is invalid in code, with its location and a hint.
package struct NameIssue: Hashable, Sendable {
    /// A rule that a name can break.
    package enum Code: String, Sendable {
        /// Two names are equal in code.
        case nameClash = "name-clash"

        /// The name has another meaning in the language or in generated code.
        case reservedName = "reserved-name"

        /// The name can't be converted into a valid identifier of the language.
        case illegalName = "illegal-name"

        /// The name is longer than compilers, or the file systems that they write to, allow.
        case nameTooLong = "name-too-long"

        /// A parameter has different types on several edges, without a common type.
        case mixedTypes = "mixed-types"

        /// Whether the issue prevents the generation.
        package var isError: Bool { self != .mixedTypes }
    }

    /// The rule that the name breaks.
    package let code: Code

    /// The location of the name in the catalog file.
    package let location: SourceLocation

    /// The description of the issue, with the name of its subject.
    package let message: String

    /// Advice to fix the issue.
    package let hint: String
}

/// The error of names that prevent the generation, in the order of the catalog.
package struct NameError: Error, Sendable {
    /// The issues, at least one.
    package let issues: [NameIssue]
}

/// The error of a `--rename` that matches nothing.
package struct UnknownRenameError: Error, Hashable {
    /// The path of `--rename`, as the user wrote it.
    package let name: String
}
