import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage

/// A user of a list, with the user's link.
struct AudienceMember {
    /// The line of the file, from 1.
    let line: Int

    let user: UserID

    /// The link, or `nil` for the link of the command line.
    let link: String?
}

/// A list of users, each with a link of its own if the list has links: CSV, NDJSON, or a plain list of ids.
enum AudienceList {
    /// The longest line, in bytes.
    private static let maximumLineByteCount = 1 << 16

    /// Reads a file, in the format of its first row.
    ///
    /// - Throws: ``CommandError`` of code 65, naming the line at fault, and of code 69 if the file cannot be read.
    static func read(_ path: String) throws(CommandError) -> [AudienceMember] {
        let (bytes, name) = (try InputFile.read(path), InputFile.name(path))
        if CSVFile.isCSV(bytes, named: name) { return try table(bytes, named: name) }
        var members: [AudienceMember] = []
        for (number, line) in InputFile.lines(bytes) where !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) {
            let place = "\(name):\(number)"
            guard line.count <= maximumLineByteCount else {
                throw CommandError.badData("\(place) has more than \(maximumLineByteCount) bytes.")
            }
            if line.first == UInt8(ascii: "{") {
                members.append(try member(Array(line), number, at: place))
            } else if let text = String(validating: line, as: UTF8.self) {
                members.append(try member(text, link: nil, number, at: place))
            } else {
                throw CommandError.badData("\(place) is not UTF-8.")
            }
        }
        return members
    }

    private static func table(_ bytes: [UInt8], named name: String) throws(CommandError) -> [AudienceMember] {
        var table = try CSVTable(InputPieces(bytes, named: name))
        let user = try table.column("user")
        let link = table.header.column(named: "link")
        table.tellUnread(besides: [user] + (link.map { [$0] } ?? []))
        var members: [AudienceMember] = []
        while let row = try table.nextFields() {
            let text = link.map { row.text(at: $0) } ?? ""
            let place = "\(name):\(row.line)"
            let own = text.isEmpty ? nil : text
            members.append(try member(row.text(at: user), link: own, row.line, at: place))
        }
        return members
    }

    private static func member(_ line: [UInt8], _ number: Int, at place: String) throws(CommandError) -> AudienceMember
    {
        let (user, link): (String, String?)
        do throws(Problem) {
            let body = try JSONObjectBody(line, keys: ["user", "link"])
            (user, link) = (try body.requiredString("user"), try body.string("link"))
        } catch {
            throw CommandError.badData("\(place): \(error.detail)")
        }
        return try member(user, link: link, number, at: place)
    }

    private static func member(
        _ user: String,
        link: String?,
        _ number: Int,
        at place: String
    ) throws(CommandError) -> AudienceMember {
        guard let id = UserID(user) else {
            throw CommandError.badData("\(place): `\(user.truncated(toByteCount: 80))` isn't the id of a user.")
        }
        return AudienceMember(line: number, user: id, link: link)
    }
}
