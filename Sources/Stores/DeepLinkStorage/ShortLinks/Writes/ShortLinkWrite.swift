package import DeepLinkCore

/// A request to a store to make or replace one short link.
package struct ShortLinkWrite: Sendable {
    /// The code of the link.
    package enum Code: Hashable, Sendable {
        /// A new random code of the given length.
        case drawn(count: Int)

        /// The given code. The kind applies if no link has the code yet.
        case given(ShortLinkCode, kind: ShortLinkKind)
    }

    /// The effect of a write on the withdrawal of a link.
    package enum Withdrawal: Hashable, Sendable {
        /// A withdrawn link is not replaced.
        case unspecified

        /// The link is not withdrawn, even if it was.
        case restored

        /// The link is withdrawn.
        case withdrawn
    }

    /// The code of the link, given or random.
    package let code: Code

    /// The name, or `nil` if there is none.
    ///
    /// A link that has a name keeps it.
    package let naming: ShortLinkNaming?

    /// The destination and the other replaceable parts.
    ///
    /// ``withdrawal`` decides whether the link is withdrawn.
    package let contents: ShortLinkContents

    /// Whether the write withdraws or restores the link.
    package let withdrawal: Withdrawal

    /// The terms of the write, in which a withdrawn link counts as absent.
    package var terms: ChangeTerms

    /// The limit on the links about a user, or `nil` if there is none.
    package let quota: ShortLinkQuota?

    /// The response to store with the change, or `nil` to store none.
    package let storing: ResponseStoring<ShortLinkWriteResult>?

    /// Creates a request.
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
        storing: ResponseStoring<ShortLinkWriteResult>? = nil
    ) {
        self.code = code
        self.naming = naming
        self.contents = contents
        self.withdrawal = withdrawal
        terms = ChangeTerms(precondition: precondition, time: time, author: author, isAudited: isAudited)
        self.quota = quota
        self.storing = storing
    }
}

/// The limit on the links about one user, for links that end users make themselves.
package struct ShortLinkQuota: Hashable, Sendable {
    /// The user that the counted links are about.
    package let user: UserID

    /// The maximum number of links about the user that were made since ``since``, including withdrawn ones.
    package let maximumCount: Int

    /// The start of the counted period, inclusive.
    package let since: Timestamp

    /// Creates a limit.
    package init(user: UserID, maximumCount: Int, since: Timestamp) {
        self.user = user
        self.maximumCount = maximumCount
        self.since = since
    }
}

/// A request to a store to withdraw one short link.
package struct ShortLinkRemoval: Sendable {
    /// The code, spelled as the link has it.
    package let code: ShortLinkCode

    /// The terms of the withdrawal.
    package let terms: ChangeTerms

    /// The response to store with a withdrawal, or `nil` to store none.
    package let storing: ResponseStoring<Void>?

    /// Creates a request.
    package init(
        code: ShortLinkCode,
        precondition: UserStatePrecondition = .none,
        time: Timestamp,
        author: String,
        isAudited: Bool = false,
        storing: ResponseStoring<Void>? = nil
    ) {
        self.code = code
        terms = ChangeTerms(precondition: precondition, time: time, author: author, isAudited: isAudited)
        self.storing = storing
    }
}

/// The reason why a store refused to change a short link.
///
/// None of them is a failure of the store.
package enum ShortLinkWriteError: Error, Hashable, Sendable {
    /// The precondition does not hold. The stored version, or `nil` if the link is absent or withdrawn.
    case versionMismatch(current: Int?)

    /// Another link has the name, or the link with the name was made with other terms.
    case nameTaken(by: ShortLink)

    /// A link has the code, compared without case, or had it and was withdrawn. The link is `nil` if it was erased.
    case codeTaken(by: ShortLink?)

    /// The label is new, and the maximum number of labels is in use (``ShortLinkLabel/maximumCount``).
    case tooManyLabels

    /// The user has reached the quota of links.
    case tooManyLinks

    /// A request with the same idempotency key already has a response.
    case answered(StoredResponse)
}

/// The result of a store's write of a short link.
package struct ShortLinkWriteResult: Hashable, Sendable {
    /// The effect of a write.
    package enum Effect: Hashable, Sendable {
        /// A link was made, or a withdrawn link restored.
        case made

        /// A link was replaced.
        case replaced

        /// The link already had the contents of the write.
        case unchanged

        /// A link with the same name and terms exists already. Nothing was written.
        case known
    }

    /// The link as it is stored now.
    package let link: ShortLink

    /// The effect of the write on the link.
    package let effect: Effect

    /// The link before the write, in the same transaction, or `nil` if the code was free.
    package var former: ShortLink?

    /// The audit log names of the users whom the link is or was about.
    ///
    /// Empty if the write isn't audited or changed nothing.
    package var auditNames: [UserID: AuditName] = [:]

    /// Whether no link had the code before.
    package var isNew: Bool { effect == .made }
}
