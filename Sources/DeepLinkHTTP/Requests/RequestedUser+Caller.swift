import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkUsers

extension RequestedUser {
    /// Returns the user named by the request's own fields, its header or its caller; `nil` if none names one.
    ///
    /// - Throws: `Problem` if an id is malformed, the two differ, an end user names another user, or none of them names
    ///   a user.
    static func user(_ named: String?, header fields: FieldValues, of caller: Caller) throws(Problem) -> UserID? {
        if case .anonymous = caller, named != nil || fields.count > 0 { throw .credentialsNeeded }
        let user = try user(named, fields)
        guard case .endUser(let own) = caller else { return user }
        guard user == nil || user == own.id else {
            throw .insufficientScope(.resolver, "A user's own token resolves links for that user only.")
        }
        return own.id
    }
}
