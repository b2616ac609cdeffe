import DeepLinkCore
import DeepLinkStorage

/// The name of a grant on the command line.
enum GrantArgument {
    /// Returns the change of a grant that is named by its current name or a former one.
    ///
    /// - Throws: ``CommandError`` for any other name, with the known names.
    static func write(
        _ change: GrantWrite.Change,
        of text: String,
        to id: UserID,
        names: GrantNames,
        isAudited: Bool
    ) throws(CommandError) -> GrantWrite {
        let name = try name(text, among: names)
        return GrantWrite(
            id: id,
            name: name,
            formerNames: names.former(of: name),
            change: change,
            time: SystemClock.now(),
            author: UserOutput.author,
            isAudited: isAudited
        )
    }

    /// Returns the name of a grant for writing.
    ///
    /// - Throws: ``CommandError`` for any other name, with the known names.
    static func name(_ text: String, among names: GrantNames) throws(CommandError) -> GrantName {
        if let name = names.writable(text) { return name }
        if names.asserted.contains(where: { $0.text.bytewise == text.bytewise }) {
            throw CommandError(
                .usage,
                message: "`\(text)` is a grant that the app asserts (`from: app`), and isn't stored."
            )
        }
        throw CommandError(
            .usage,
            message: names.written.isEmpty
                ? "`\(text)` isn't a grant: the database knows none. Name the catalog with --catalog."
                : "`\(text)` isn't a grant; there are \(names.list)."
        )
    }
}
