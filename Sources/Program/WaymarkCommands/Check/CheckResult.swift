import DeepLinkCore

/// The result of one link of a list.
struct CheckResult {
    /// The line of the file, from 1.
    let line: Int

    /// The link as given in the file.
    let link: String

    /// The difference from the expectation; `nil` for none.
    let failure: String?

    /// The sign that the link was not filled in; `nil` for none.
    let warning: LinkWarning?

    /// The routes that the link leads to, or the code of its problem.
    let outcome: String
}
