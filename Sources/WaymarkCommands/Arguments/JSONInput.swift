import DeepLinkFormats

/// JSON that a user gives to a command.
enum JSONInput {
    /// Parses bytes, naming where they come from if they are malformed.
    ///
    /// - Throws: ``CommandError`` of code 65.
    static func parse(_ bytes: [UInt8], named name: @autoclosure () -> String) throws(CommandError) -> JSONValue {
        do throws(JSONSyntaxError) {
            return try JSONParser.parse(bytes)
        } catch {
            throw CommandError(.badData, "\(name()) is not JSON: at byte \(error.offset), \(error.message).")
        }
    }
}
