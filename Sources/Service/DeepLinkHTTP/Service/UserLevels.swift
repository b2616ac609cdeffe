import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage
import HTTPServer
import HTTPTypes

/// The read-only levels of the users in a store.
///
/// Errors of the store become problems.
struct UserLevels: Sendable {
    private let store: any UserStateStore

    init(in store: any UserStateStore) {
        self.store = store
    }

    /// Whether levels may be out of date, because the database is unreachable.
    var mayBeStale: Bool { store.tellsStaleAccess }

    /// Returns the level and the grants of a user.
    ///
    /// - Parameters:
    ///   - user: The user.
    ///   - version: The version that the user must have come to, or 0 for any.
    /// - Returns: The lookup.
    /// - Throws: `Problem` of code `user-state-unavailable`, for every error of the store.
    func access(of user: UserID, atLeast version: Int) throws(Problem) -> Answer<AccessLookupResult> {
        do {
            let answer = try store.access(of: user, atLeast: version)
            if case .ready = answer { return answer }
            return answer.recovering { throw Problem.userStateUnavailable($0) }
        } catch {
            throw .userStateUnavailable(error)
        }
    }

    /// Counts the users by their grants at a time.
    ///
    /// - Throws: `Problem` with the code `user-state-unavailable`, for every error of the store.
    func counts(at time: Timestamp) async throws(Problem) -> AccessCounts {
        do {
            return try await store.accessCounts(at: time)
        } catch {
            throw .userStateUnavailable(error)
        }
    }
}

/// The level and the grants in effect for a request, with the level's source and their freshness.
struct UserLevel {
    /// The level and the grants in effect.
    let permissions: Permissions

    /// The source of the level, or `nil` without an end user's token, unless the app asserts the level.
    let source: LevelSource?

    /// Whether level and grants may be out of date, because the database is unreachable.
    let isStale: Bool

    /// Creates the level and the grants of a user, joined with the permissions that the app asserts.
    ///
    /// An asserted level applies only if it is higher than the user's own.
    init(
        _ own: Permissions,
        source: LevelSource? = nil,
        isStale: Bool = false,
        asserting assertions: Permissions = .none
    ) {
        self.isStale = isStale
        guard assertions != .none else {
            (permissions, self.source) = (own, source)
            return
        }
        permissions = own.joined(with: assertions)
        self.source = assertions.level > own.level ? .app : source
    }

    /// The fields of a response from a level that may be out of date.
    static let staleFields: HTTPFields = {
        var fields = HTTPFields()
        if let name = HTTPField.Name("Warning") { fields[name] = "110 waymark \"Response is Stale\"" }
        return fields
    }()
}

extension Answer {
    /// Returns the value, once it is there.
    ///
    /// - Throws: `Problem`, as `Problem.ofWait(_:)` says.
    func get() async throws(Problem) -> Value {
        do { return try await value } catch { throw .ofWait(error) }
    }
}

extension Problem {
    /// Returns the problem of a wait that failed.
    ///
    /// Every error but a problem is one of a store.
    static func ofWait(_ error: any Error) -> Problem { error as? Problem ?? .userStateUnavailable(error) }
}

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
    /// - Throws: `Problem` if an id isn't valid, or the two differ.
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
