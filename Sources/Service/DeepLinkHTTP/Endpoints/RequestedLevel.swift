import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage
import HTTPServer

/// The level and the grants that a request names instead of a user, to get the result for any user with these
/// permissions.
enum RequestedLevel {
    /// Reads the name of a level, and of additional grants.
    ///
    /// Without either, the permissions are empty.
    ///
    /// - Throws: `Problem` if a name isn't a level's or a grant's, a user is named as well, grants are named without a
    ///   level, or the caller may act for one user only.
    @inline(__always)
    static func permissions(
        _ name: String?,
        grants names: [String]?,
        insteadOf user: UserID?,
        by caller: Caller,
        in catalog: RouteCatalog
    ) throws(Problem) -> Permissions {
        // This is nearly always the case.
        if name == nil, names == nil { return .none }
        return try requested(name, grants: names ?? [], insteadOf: user, by: caller, in: catalog)
    }

    private static func requested(
        _ name: String?,
        grants names: [String],
        insteadOf user: UserID?,
        by caller: Caller,
        in catalog: RouteCatalog
    ) throws(Problem) -> Permissions {
        switch caller {
        case .anyone, .service, .person: break
        case .endUser:
            throw .insufficientScope(.resolver, reason: "A user's own token resolves as that user, not for a level.")
        case .anonymous, .granter: throw .credentialsNeeded
        }
        _ = try ResolveFields.level(name, in: catalog)
        guard user == nil else {
            throw .conflict(
                field: "level",
                detail: "`level` stands instead of a user; name a level or a user, not both."
            )
        }
        return try ResolveFields.permissions(level: name, grants: names, in: catalog)
    }
}

/// The level and the grants that the app asserts by `holds`, by the header `Waymark-Holds`, or by both together.
enum Assertions {
    /// Returns the permissions that the app asserts.
    ///
    /// In a catalog without such permissions there are none, and nothing is read.
    ///
    /// - Parameters:
    ///   - catalog: the catalog. Names that aren't `from: app` in it are ignored, so that old apps continue to work.
    ///   - header: the value of the header, or `nil` for none.
    ///   - named: returns the names in the request's own field, or `nil` for none.
    /// - Returns: the permissions.
    /// - Throws: the error of `named`.
    @inline(__always)
    static func permissions<Failure>(
        in catalog: RouteCatalog,
        header: @autoclosure () -> String?,
        named: () throws(Failure) -> [String]?
    ) throws(Failure) -> Permissions {
        guard catalog.takesAssertions else { return .none }
        return catalog.assertions((try named() ?? []) + (header().map(NameList.items) ?? []))
    }
}

/// The minimum version of the user for a response, named by `userVersion`, by the header `Waymark-User-Version`, or by
/// both alike.
enum RequestedVersion {
    /// Returns the version named by a query and the header, or 0 if neither names one.
    ///
    /// - Throws: `Problem` if one isn't a version, the two differ, or the request names no user.
    static func version(_ named: String?, header: String?, of user: UserID?) throws(Problem) -> Int {
        // This is nearly always the case.
        if named == nil, header == nil { return 0 }
        return try version(
            named.map { text throws(Problem) in try version(text, field: "userVersion") } ?? nil,
            header: header,
            of: user
        )
    }

    /// Returns the version named by the member of a body and the header, or 0 if neither names one.
    static func version(_ named: JSONValue?, header: String?, of user: UserID?) throws(Problem) -> Int {
        if named == nil, header == nil { return 0 }
        switch named {
        case nil: return try version(nil as Int?, header: header, of: user)
        case .integer(let number)?:
            return try version(try version(String(number), field: "userVersion"), header: header, of: user)
        case .string(let text)?: return try version(try version(text, field: "userVersion"), header: header, of: user)
        case let value?:
            throw .wrongType(
                field: "userVersion",
                detail: "`userVersion` is \(value.typeInWords); send a whole number."
            )
        }
    }

    private static func version(_ named: Int?, header: String?, of user: UserID?) throws(Problem) -> Int {
        let byHeader = try header.map { text throws(Problem) in try version(text, field: "Waymark-User-Version") }
        if let named, let byHeader, named != byHeader {
            throw .conflict(field: "userVersion", header: "Waymark-User-Version", values: "versions")
        }
        guard user != nil else {
            throw .missing(field: "user", detail: "A version is a user's: name the user as well.")
        }
        return named ?? byHeader ?? 0
    }

    private static func version(_ text: String, field: String) throws(Problem) -> Int {
        guard let version = DecimalText.parseInt(text.utf8), version >= 1 else {
            throw .invalidValue(
                field: field,
                detail: "`\(field)` is `\(text)`; send a whole number from 1, as a write has answered with."
            )
        }
        return version
    }
}

extension RequestedUser {
    /// Returns the user named by the request's own fields, its header or its caller, or `nil` if none names one.
    ///
    /// - Throws: `Problem` if an id is malformed, the two differ, an end user names another user, or an anonymous
    ///   caller names a user.
    static func user(_ named: String?, header fields: FieldValues, of caller: Caller) throws(Problem) -> UserID? {
        if case .anonymous = caller, named != nil || fields.count > 0 { throw .credentialsNeeded }
        let user = try user(named, fields: fields)
        guard case .endUser(let own) = caller else { return user }
        guard user == nil || user == own.id else {
            throw .insufficientScope(.resolver, reason: "A user's own token resolves links for that user only.")
        }
        return own.id
    }

    /// Returns the user that is named by the request's own fields or its header `Waymark-User`, or `nil` if neither
    /// names one.
    ///
    /// - Throws: ``Problem`` if an id isn't valid, or the two differ.
    static func user(_ named: String?, fields: FieldValues) throws(Problem) -> UserID? {
        let byField = try named.map { text throws(Problem) in try id(text, field: "user") }
        guard fields.count <= 1 else {
            throw .duplicate(field: "Waymark-User", detail: "The header `Waymark-User` is given twice.")
        }
        // Bytes that are not UTF-8 arrive as U+FFFD, and would merge several users into one.
        guard fields.first?.unicodeScalars.contains("\u{FFFD}") != true else {
            throw .malformed(field: "Waymark-User", detail: "The header `Waymark-User` is not UTF-8.")
        }
        let byHeader = try fields.first.map { text throws(Problem) in try id(text, field: "Waymark-User") }
        guard let byField, let byHeader else { return byField ?? byHeader }
        guard byField == byHeader else { throw .conflict(field: "user", header: "Waymark-User", values: "users") }
        return byField
    }
}

extension Problem {
    /// Returns the problem for a user that has not reached the requested version.
    static func versionNotReached(_ version: Int, current: Int) -> Problem {
        Problem(
            versionMismatch: "The user has not come to version \(version); name one that a write has answered with.",
            current: current > 0 ? current : nil
        )
    }
}
