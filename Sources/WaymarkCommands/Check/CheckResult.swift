/// Is what became of one link of a list.
struct CheckResult {
    /// The line of the file, from 1.
    let line: Int

    /// The link as the file gives it.
    let link: String

    /// What is wrong; `nil` where the link is as it should be.
    let failure: String?

    /// Where the link leads, or the code of its problem.
    let outcome: String
}
