import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats

extension RequestedUser {
    /// Finds the user that the request's own fields, its header or its caller name; `nil` where none does.
    ///
    /// - Throws: `Problem` where an id is no id, the two differ, or an end user names somebody else.
    static func user(_ named: String?, _ fields: FieldValues, _ caller: Caller) throws(Problem) -> UserID? {
        let user = try user(named, fields)
        guard case .endUser(let own) = caller else { return user }
        guard user == nil || user == own else {
            throw .insufficientScope(.resolver, "A user's own token resolves links for that user only.")
        }
        return own
    }
}
