public import ArgumentParser
public import DeepLinkCore
import DeepLinkFormats
package import DeepLinkStorage

/// A navigation stack given as JSON.
enum StackArgument {
    /// Reads an array of destinations, or an object with one under `stack`, as in plans.
    ///
    /// - Throws: ``CommandError`` of code 65, naming the source of the text.
    static func read(_ bytes: [UInt8], named name: String) throws(CommandError) -> [Destination] {
        let value = try JSONInput.parse(bytes, named: name)
        let stack: JSONValue = if case .object(let members) = value { members["stack"] ?? .null } else { value }
        do throws(Problem) {
            return try stack.stack(field: "stack")
        } catch {
            throw CommandError.badData("\(name): \(error.detail)")
        }
    }
}

/// JSON input of a command.
enum JSONInput {
    /// Parses bytes, and names their source in errors.
    ///
    /// - Throws: ``CommandError`` of code 65.
    static func parse(_ bytes: [UInt8], named name: @autoclosure () -> String) throws(CommandError) -> JSONValue {
        do throws(JSONSyntaxError) {
            return try JSONParser.parse(bytes)
        } catch {
            throw CommandError.badData("\(name()) is not JSON: at byte \(error.offset), \(error.message).")
        }
    }
}

extension ResolutionRequest.Mode: ExpressibleByArgument {}

extension AppVersion: ExpressibleByArgument {
    /// Reads a platform and a version on the command line.
    public init?(argument: String) { self.init(argument) }
}

extension RouteCatalog {
    /// Checks that the catalog has the app that `--app` names.
    ///
    /// - Throws: `CommandError` of code 64, which lists the apps.
    func check(_ app: AppVersion?) throws(CommandError) {
        do throws(Problem) {
            if let app { try RequestedApp.check(app, in: self) }
        } catch {
            throw CommandError.usage("--app: \(error.detail)")
        }
    }
}

extension Role: ExpressibleByArgument {}

/// The user ids and times in arguments of commands.
enum UserArgument {
    /// Reads the id of a user to write.
    static func id(_ text: String) throws -> UserID {
        guard let id = UserID(text) else { throw malformed }
        return id
    }

    /// Reads the id of a user that may already exist.
    ///
    /// It may be `.` or `..`, which earlier versions accepted.
    static func storedID(_ text: String) throws -> UserID {
        guard let id = UserID(stored: text) else { throw malformed }
        return id
    }

    private static var malformed: CommandError {
        CommandError.usage(
            "a user id is 1 to \(UserID.maximumByteCount) bytes of UTF-8 without control characters, not `.` or `..`."
        )
    }

    /// Reads a time in RFC 3339 format.
    static func timestamp(_ text: String) throws -> Timestamp {
        guard let time = Timestamp(rfc3339: text) else {
            throw CommandError.usage("`\(text)` isn't an RFC 3339 date-time, such as 2027-01-01T00:00:00Z.")
        }
        return time
    }
}
