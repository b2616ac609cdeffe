package import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage

/// A console session: a logged-in person, until the session ends.
package struct PersonSession: Sendable {
    /// The logged-in person, with roles.
    package let person: Person

    /// The time at which the session ends.
    package let end: Timestamp

    init(_ person: Person, end: Timestamp) {
        self.person = person
        self.end = end
    }

    /// Reads the content of a sealed session, or returns `nil` if another version of this service wrote it.
    init?(_ content: [UInt8]) {
        guard case .object(let members)? = try? JSONParser.parse(content),
            case .string(let subject)? = members["sub"], case .string(let name)? = members["name"],
            case .array(let items)? = members["roles"], case .integer(let end)? = members["end"]
        else { return nil }
        let roles = items.compactMap { item in if case .string(let text) = item { Role(bytewise: text) } else { nil } }
        guard let person = Person(subject: subject, name: name, roles: roles) else { return nil }
        self.init(person, end: Timestamp(millisecondsSinceEpoch: Int64(end)))
    }

    /// The content to seal.
    var content: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.key("sub")
            writer.string(person.subject)
            writer.key("name")
            writer.string(person.name)
            writer.key("roles")
            writer.array(person.roles) { writer, role in writer.string(role.rawValue) }
            writer.key("end")
            writer.number(Int(end.millisecondsSinceEpoch))
        }
        return writer.bytes
    }
}
