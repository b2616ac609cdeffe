package import DeepLinkCore
import DeepLinkFormats

/// A page of user states, and the start of the next one.
package struct UserListBody: WireBody {
    private let states: [UserState]
    private let time: Timestamp
    private let next: UserID?
    private let names: AccessNames

    /// Shows states by the names of a catalog as they count at a moment; `next` is the last id of the page if more follow.
    package init(_ states: [UserState], at time: Timestamp, next: UserID?, names: AccessNames) {
        self.states = states
        self.time = time
        self.next = next
        self.names = names
    }

    /// Writes the body as JSON.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("users")
            writer.array(states) { writer, state in UserBody(state, at: time, names: names).write(to: &writer) }
            guard let next else { return }
            writer.key("next")
            writer.string(next.text)
        }
    }
}
