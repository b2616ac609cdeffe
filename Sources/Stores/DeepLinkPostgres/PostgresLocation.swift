import CPostgreSQL
import DeepLinkCore

/// The location of a PostgreSQL database, as libpq reads it: a URI, completed by libpq's variables (`PGHOST`, …) and
/// service files (postgresql.org/docs/15/libpq-connect.html).
package struct PostgresLocation: Sendable {
    /// The URI as given, including its password if it has one.
    let uri: String

    /// The parts in the URI, by libpq's keywords.
    let parts: [ByteText: String]

    /// Parses a URI.
    ///
    /// Returns `nil` for a text that isn't a PostgreSQL URI and is therefore a file name.
    ///
    /// - Throws: ``PostgresError`` if it begins like a PostgreSQL URI, and libpq cannot read it.
    package init?(_ text: String) throws(PostgresError) {
        let scheme = text.utf8.prefix { $0 != UInt8(ascii: ":") }
        guard scheme.elementsEqual("postgres".utf8) || scheme.elementsEqual("postgresql".utf8),
            text.utf8.dropFirst(scheme.count).starts(with: "://".utf8)
        else { return nil }
        var message: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(text, &message) else {
            defer { PQfreemem(message) }
            // libpq's message may contain the URI and with it a password.
            throw .badLocation
        }
        defer { PQconninfoFree(options) }
        var parts: [ByteText: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { parts[String(cString: keyword).bytewise] = String(cString: value) }
            option += 1
        }
        uri = text
        self.parts = parts
    }

    private subscript(name: String) -> String? { parts[name.bytewise] }

    /// Whether the text has a password, which everyone with access to the process list can see.
    package var hasPassword: Bool { self["password"] != nil || self["sslpassword"] != nil }

    /// The location for messages, without secrets.
    package var description: String {
        var text = "postgres://"
        if let user = self["user"] { text += user + "@" }
        text += self["host"] ?? self["hostaddr"] ?? ""
        if let port = self["port"] { text += ":" + port }
        text += "/" + (self["dbname"] ?? "")
        if let service = self["service"] { text += "?service=" + service }
        return text
    }

    /// The number of servers in the URI.
    ///
    /// If one is unreachable, the next attempt begins with the next server.
    var hostCount: Int { max(1, self["host"].map { $0.utf8.count { $0 == UInt8(ascii: ",") } + 1 } ?? 1) }

    /// Returns the keywords and values for libpq, with its lists of servers rotated to begin at the given server.
    func words(beginningAt first: Int, defaults: [(String, String)]) -> [(String, String)] {
        // Later values take precedence: defaults, then the URI's, then the order of the servers.
        var words = defaults.filter { self[$0.0] == nil }
        words.append(("dbname", uri))
        if hostCount > 1 {
            for name in ["host", "hostaddr", "port"] {
                guard let list = self[name] else { continue }
                let items = list.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
                    .map(Substring.init)
                guard items.count == hostCount else { continue }
                let place = first % items.count
                words.append((name, (items[place...] + items[..<place]).joined(separator: ",")))
            }
        }
        return words
    }
}
