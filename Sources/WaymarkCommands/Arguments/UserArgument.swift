import ArgumentParser
import DeepLinkCore

/// The ids and moments that the command line names users and ends by.
enum UserArgument {
    /// Reads the id of a user to be set.
    static func id(_ text: String) throws -> UserID {
        guard let id = UserID(text) else { throw malformed }
        return id
    }

    /// Reads the id of a user who may exist already: `.` and `..` too, which earlier versions let in.
    static func storedID(_ text: String) throws -> UserID {
        guard let id = UserID(stored: text) else { throw malformed }
        return id
    }

    private static var malformed: CommandError {
        CommandError(
            .usage,
            "a user id is 1 to \(UserID.maximumByteCount) bytes of UTF-8 without control characters, not `.` or `..`."
        )
    }

    /// Reads a moment.
    static func timestamp(_ text: String) throws -> Timestamp {
        guard let time = Timestamp(rfc3339: text) else {
            throw CommandError(.usage, "`\(text)` is no RFC 3339 date-time, such as 2027-01-01T00:00:00Z.")
        }
        return time
    }
}
