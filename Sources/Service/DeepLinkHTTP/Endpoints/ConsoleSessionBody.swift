import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage

/// The session of a browser, for the console's page: the person, and a token for the API.
struct ConsoleSessionBody: WireBody {
    /// Whether persons can log in.
    let canLogIn: Bool

    /// The person who is logged in; `nil` if nobody is.
    var person: Person?

    /// The token of the person, and the time for which it may be used, in seconds.
    var token = ""
    var seconds = 0

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("canLogIn")
            writer.value(.bool(canLogIn))
            guard let person else { return }
            writer.key("name")
            writer.string(person.name)
            writer.key("roles")
            writer.array(person.roles) { writer, role in writer.string(role.rawValue) }
            writer.key("token")
            writer.string(token)
            writer.key("expiresIn")
            writer.number(seconds)
        }
    }
}
