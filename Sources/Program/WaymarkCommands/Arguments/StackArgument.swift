import DeepLinkCore
import DeepLinkFormats

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
            throw CommandError(.badData, message: "\(name): \(error.detail)")
        }
    }
}
