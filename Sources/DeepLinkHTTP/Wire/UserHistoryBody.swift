package import DeepLinkCore

/// Shows the changes of one user, oldest first.
package struct UserHistoryBody: WireBody {
    private let changes: [UserChange]

    /// Wraps the changes.
    package init(_ changes: [UserChange]) {
        self.changes = changes
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("history")
            writer.array(changes) { writer, change in
                writer.object { writer in
                    writer.key("version")
                    writer.number(change.version)
                    writer.key("authorizationLevel")
                    writer.string(change.level?.name)
                    writer.key("at")
                    writer.string(change.at.rfc3339)
                    writer.key("by")
                    writer.string(change.author)
                }
            }
        }
    }
}
