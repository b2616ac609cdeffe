import DeepLinkFormats

/// JSON input of a command.
enum JSONInput {
    /// Parses bytes; an error names their source.
    ///
    /// - Throws: ``CommandError`` of code 65.
    static func parse(_ bytes: [UInt8], named name: @autoclosure () -> String) throws(CommandError) -> JSONValue {
        do throws(JSONSyntaxError) {
            return try JSONParser.parse(bytes)
        } catch {
            throw CommandError(.badData, message: "\(name()) is not JSON: at byte \(error.offset), \(error.message).")
        }
    }
}
