import DeepLinkCore

/// The record of a short link, and the rules for its changes.
///
/// It is a ``VersionedRecord`` of the link's contents. Withdrawing is a change of the contents, not a deletion: the
/// record stays, with its code and its name. The history is written from the first change on, and then includes the
/// creation. Most links never change, and for them the link itself is the whole history.
package struct ShortLinkRecord: Sendable {
    /// The code, which never changes.
    package let code: ShortLinkCode

    /// The origin of the code.
    package let kind: ShortLinkKind

    /// The name, or `nil` if there is none.
    package private(set) var naming: ShortLinkNaming?

    /// The link in the store, or `nil` if there is none.
    package let stored: ShortLink?

    private let createdAt: Timestamp
    private let author: String
    private var record: VersionedRecord<ShortLinkContents>

    /// Creates the record of a stored link.
    package init(_ link: ShortLink) {
        (code, kind, naming, createdAt, author) = (link.code, link.kind, link.naming, link.createdAt, link.author)
        stored = link
        let revision = Revision(
            value: link.contents,
            version: link.version,
            updatedAt: link.updatedAt,
            asOf: link.updatedAt
        )
        record = VersionedRecord(.present(revision))
    }

    /// Creates the record of a new link, without contents.
    init(_ draft: ShortLinkDraft, at time: Timestamp) {
        (code, kind, naming, createdAt, author) = (
            draft.code, draft.kind, draft.write.naming, time, draft.write.terms.author
        )
        stored = nil
        record = VersionedRecord()
    }

    /// The link after the changes, or `nil` for a record without contents.
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

    /// The version that preconditions are compared with, or `nil` for a withdrawn link.
    var visibleVersion: Int? {
        guard let revision = record.revision, !revision.value.isWithdrawn else { return nil }
        return revision.version
    }

    /// Whether the record differs from the stored one.
    package var isChanged: Bool { link != stored }

    /// Whether the version can be increased.
    ///
    /// If not, the stored version is corrupt.
    package var hasNextVersions: Bool { record.hasNextVersions }

    /// Gives the link a name, if it has none.
    mutating func name(_ naming: ShortLinkNaming) { self.naming = self.naming ?? naming }

    /// Replaces the contents.
    mutating func set(_ contents: ShortLinkContents, at time: Timestamp, by author: String) {
        // The change cannot be refused: it has no precondition, and its effective time is the current time.
        record.put(contents, on: ChangeTerms(time: time, author: author), asOf: time)
    }

    /// The changes to add to the history.
    ///
    /// The first change of a link also adds its creation.
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
    /// The text of an erased link that its keyed digest is computed from.
    ///
    /// It begins with a control character, so it cannot be a user's id.
    package var erasureText: String { "\u{1}\(folded.text)" }
}

extension ShortLink {
    /// The creation of the link, for a link that was never changed since.
    package var making: ShortLinkChange {
        ShortLinkChange(version: 1, contents: contents, at: createdAt, author: author)
    }
}
