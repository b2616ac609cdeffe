package import DeepLinkCore

/// The making or the replacement of one short link, asked of a store.
package struct ShortLinkWrite: Sendable {
    /// The code of the link.
    package enum Code: Hashable, Sendable {
        /// A new one, which the store draws, of so many characters.
        case drawn(count: Int)

        /// This one; its kind counts if no link has it yet.
        case given(ShortLinkCode, kind: ShortLinkKind)
    }

    /// The statement of a write about withdrawing.
    package enum Withdrawal: Hashable, Sendable {
        /// None: a withdrawn link is not replaced.
        case unspecified

        /// The link is not withdrawn, even if it was.
        case restored

        /// The link is withdrawn.
        case withdrawn
    }

    /// The code.
    package let code: Code

    /// The name; `nil` for none, and a link that has one keeps it.
    package let naming: ShortLinkNaming?

    /// The destination and the rest that may be replaced; whether the link is withdrawn, ``withdrawal`` says.
    package let contents: ShortLinkContents

    /// The statement about withdrawing.
    package let withdrawal: Withdrawal

    /// The link that must be there for the write to happen; a withdrawn one isn't there.
    package let precondition: UserStatePrecondition

    /// The bound of the links that a user may make; `nil` for none.
    package let quota: ShortLinkQuota?

    /// The time of the change.
    package let time: Timestamp

    /// The author of the change, for the history.
    package let author: String

    /// Whether the change is one for the audit log.
    package var isAudited: Bool

    /// The answer to be kept with the change; `nil` for none.
    package let keeping: AnswerKeeping<SavedShortLink>?

    /// Creates a request from its parts.
    package init(
        code: Code,
        naming: ShortLinkNaming? = nil,
        contents: ShortLinkContents,
        withdrawal: Withdrawal = .unspecified,
        precondition: UserStatePrecondition = .none,
        quota: ShortLinkQuota? = nil,
        time: Timestamp,
        author: String,
        isAudited: Bool = false,
        keeping: AnswerKeeping<SavedShortLink>? = nil
    ) {
        self.code = code
        self.naming = naming
        self.contents = contents
        self.withdrawal = withdrawal
        self.precondition = precondition
        self.quota = quota
        self.time = time
        self.author = author
        self.isAudited = isAudited
        self.keeping = keeping
    }
}

/// The bound of the links about one user, so that end users who make links make few.
package struct ShortLinkQuota: Hashable, Sendable {
    /// The user.
    package let user: UserID

    /// The most links about the user that were made from ``since`` on, withdrawn ones included.
    package let maximumCount: Int

    /// The first moment that counts.
    package let since: Timestamp

    /// Creates a bound.
    package init(user: UserID, maximumCount: Int, since: Timestamp) {
        self.user = user
        self.maximumCount = maximumCount
        self.since = since
    }
}

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

/// The reason why a store left a short link as it was, although nothing is broken.
package enum ShortLinkWriteError: Error, Hashable, Sendable {
    /// The precondition does not hold; the version that is stored, `nil` for no link or a withdrawn one.
    case versionMismatch(current: Int?)

    /// Another link has the name, or the link of that name was made on other terms.
    case nameTaken(by: ShortLink)

    /// A link has the code already, compared without case, or had it and was withdrawn; `nil` if the link was erased.
    case codeTaken(by: ShortLink?)

    /// As many labels are in use as there may be (``ShortLinkLabel/maximumCount``), and this is a further one.
    case tooManyLabels

    /// The user has made as many links as the quota allows.
    case tooManyLinks

    /// The request was answered before, under the same key.
    case answered(KeptAnswer)
}
