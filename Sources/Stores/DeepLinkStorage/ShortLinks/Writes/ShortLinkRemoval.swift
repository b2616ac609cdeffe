package import DeepLinkCore

/// The withdrawal of one short link, asked of a store.
package struct ShortLinkRemoval: Sendable {
    /// The code, as the link has it.
    package let code: ShortLinkCode

    /// The link that must be there for the withdrawal to happen.
    package let precondition: UserStatePrecondition

    /// The time of the change.
    package let time: Timestamp

    /// The author of the change, for the history.
    package let author: String

    /// Whether the change is one for the audit log.
    package let isAudited: Bool

    /// The answer to be kept with a withdrawal; `nil` for none.
    package let keeping: AnswerKeeping<Void>?

    /// Creates a request from its parts.
    package init(
        code: ShortLinkCode,
        precondition: UserStatePrecondition = .none,
        time: Timestamp,
        author: String,
        isAudited: Bool = false,
        keeping: AnswerKeeping<Void>? = nil
    ) {
        self.code = code
        self.precondition = precondition
        self.time = time
        self.author = author
        self.isAudited = isAudited
        self.keeping = keeping
    }
}
