import ArgumentParser
import DeepLinkCore
import DeepLinkStorage

/// The ids of users and the moments in arguments of commands.
enum UserArgument {
    /// Reads the id of a user who is to be set.
    static func id(_ text: String) throws -> UserID {
        guard let id = UserID(text) else { throw malformed }
        return id
    }

    /// Reads the id of a user who may already exist, `.` and `..` included, which earlier versions accepted.
    static func storedID(_ text: String) throws -> UserID {
        guard let id = UserID(stored: text) else { throw malformed }
        return id
    }

    private static var malformed: CommandError {
        CommandError(
            .usage,
            message:
                "a user id is 1 to \(UserID.maximumByteCount) bytes of UTF-8 without control characters, not `.` or `..`."
        )
    }

    /// Reads a moment.
    static func timestamp(_ text: String) throws -> Timestamp {
        guard let time = Timestamp(rfc3339: text) else {
            throw CommandError(.usage, message: "`\(text)` isn't an RFC 3339 date-time, such as 2027-01-01T00:00:00Z.")
        }
        return time
    }
}
