package import DeepLinkCore
import DeepLinkFormats

/// A page of the changes of one user, oldest first, and the start of the next one.
package struct UserHistoryBody: WireBody {
    private let changes: [UserChange]
    private let next: Int?
    private let names: AccessNames

    /// Creates a page of changes, with the names of a catalog.
    ///
    /// `next` is the last version of the page if more follow.
    package init(_ changes: [UserChange], next: Int? = nil, names: AccessNames) {
        self.changes = changes
        self.next = next
        self.names = names
    }

    /// Writes the body as JSON.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("history")
            writer.array(changes) { writer, change in
                writer.object { writer in
                    writer.key("version")
                    writer.number(change.version)
                    writer.level(change.level, names: names.levels)
                    writer.grants(change.access?.grants ?? [], names: names.grants)
                    writer.key("at")
                    writer.string(change.at.rfc3339)
                    writer.key("by")
                    writer.string(change.author)
                    guard let asOf = change.asOf else { return }
                    writer.key("asOf")
                    writer.string(asOf.rfc3339)
                }
            }
            guard let next else { return }
            writer.key("next")
            writer.number(next)
        }
    }
}
