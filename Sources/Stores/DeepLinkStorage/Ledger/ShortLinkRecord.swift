import DeepLinkCore

/// The record of a short link, and the rules for its changes.
///
/// It is a ``VersionedRecord`` of the link's contents. Withdrawing is a change of the contents, not a deletion: the record
/// stays, with its code and its name. Its history is written from the first change on, the making included: most links are
/// never changed, and then the link says it all.
package struct ShortLinkRecord: Sendable {
    /// The code.
    package let code: ShortLinkCode

    /// The origin of the code.
    package let kind: ShortLinkKind

    /// The name; `nil` for none.
    package private(set) var naming: ShortLinkNaming?

    /// The link in the store; `nil` for none.
    package let stored: ShortLink?

    private let createdAt: Timestamp
    private let author: String
    private var record: VersionedRecord<ShortLinkContents>

    /// Reads the record of a link into the ledger.
    package init(_ link: ShortLink) {
        (code, kind, naming, createdAt, author) = (link.code, link.kind, link.naming, link.createdAt, link.author)
        stored = link
        let revision = Revision(
            link.contents,
            version: link.version,
            updatedAt: link.updatedAt,
            asOf: link.updatedAt
        )
        record = VersionedRecord(.present(revision))
    }

    /// Creates the record of a new link, which is to be given its contents.
    init(_ draft: ShortLinkDraft, at time: Timestamp) {
        (code, kind, naming, createdAt, author) = (
            draft.code, draft.kind, draft.write.naming, time, draft.write.author
        )
        stored = nil
        record = VersionedRecord()
    }

    /// The link after the changes; `nil` for a record without contents.
    package var link: ShortLink? {
        guard let revision = record.revision else { return nil }
        return ShortLink(
            code: code,
            kind: kind,
            naming: naming,
            contents: revision.value,
            version: revision.version,
            createdAt: createdAt,
            author: author,
            updatedAt: revision.updatedAt
        )
    }

    /// The version that preconditions are about; `nil` for a withdrawn link.
    var visibleVersion: Int? {
        guard let revision = record.revision, !revision.value.isWithdrawn else { return nil }
        return revision.version
    }

    /// Whether the record differs from the stored one.
    package var isChanged: Bool { link != stored }

    /// Whether further versions of the link can be counted; if they can't, the stored version is damage.
    package var hasNextVersions: Bool { record.hasNextVersions }

    /// Gives the link a name, if it has none.
    mutating func name(_ naming: ShortLinkNaming) { self.naming = self.naming ?? naming }

    /// Replaces the contents.
    mutating func set(_ contents: ShortLinkContents, at time: Timestamp, by author: String) {
        // Nothing refuses the change: there is no precondition, and no moment but the present.
        record.put(contents, on: ChangeTerms(time: time, author: author), asOf: time)
    }

    /// The changes that the history is to have, with those that it lacks since the link was never changed before.
    package var newHistory: [ShortLinkChange] {
        let new = changes
        guard let stored else { return new.count > 1 ? new : [] }
        return stored.version == 1 && !new.isEmpty ? [stored.making] + new : new
    }

    /// The changes that were made in the ledger.
    package var changes: [ShortLinkChange] {
        record.changes.compactMap { change in
            change.value.map {
                ShortLinkChange(version: change.version, contents: $0, at: change.at, author: change.author)
            }
        }
    }
}

extension ShortLinkCode {
    /// The text whose keyed digest is left of an erased link: it is no user's id, since it begins with a control character.
    package var erasureText: String { "\u{1}\(folded.text)" }
}

extension ShortLink {
    /// The change that made the link, if it was never changed since.
    package var making: ShortLinkChange {
        ShortLinkChange(version: 1, contents: contents, at: createdAt, author: author)
    }
}
