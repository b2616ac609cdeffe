import ArgumentParser
import DeepLinkCore
import DeepLinkFormats
import DeepLinkStoring

/// The command that reads user states from a file: all of them, or none.
struct UserImportCommand: AsyncParsableCommand {
    /// The most faults that are listed.
    private static let maximumFaultCount = 20

    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Sets user states from a file with one JSON object a line; all of them, or none.",
        discussion: """
            waymark user import users.ndjson

            A line is {"id":"…","authorizationLevel":"…"}, with "validUntil" and "levelAfter" where the level ends; it \
            replaces the state of that user whole. What `user export` prints is such a file. Where a line is malformed, or \
            there is none, nothing is changed and the command exits with 65.
            """
    )

    @Argument(help: "The file; without one, or with -, standard input.")
    var file: String = "-"

    @OptionGroup var shared: SharedOptions

    /// Returns whether a byte is white space; NUL, which fills files that were lost in a crash, is not.
    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    func run() async throws {
        let name = InputFile.name(file)
        let lines = InputFile.lines(try InputFile.read(file)).filter { !$0.line.allSatisfy(Self.isBlank) }
        // A file that was lost in a crash is empty; nobody means to import nothing.
        guard !lines.isEmpty else {
            throw CommandError(.badData, "\(name) has no line; nothing is imported. Export the users again.")
        }
        var writes: [UserStateWrite] = []
        var faults: [String] = []
        var places: [UserID: Int] = [:]
        var progress = ProgressBar(total: lines.count)
        for (index, (number, line)) in lines.enumerated() {
            do throws(Problem) {
                let user = try UserStateLine(Array(line))
                if let first = places.updateValue(number, forKey: user.id) {
                    faults.append("\(name):\(number): the user `\(user.id.text)` stands in line \(first) already.")
                }
                writes.append(
                    UserStateWrite(id: user.id, grant: user.grant, time: Clock.now(), author: UserOutput.author)
                )
            } catch {
                faults.append("\(name):\(number): \(error.detail)")
            }
            progress.update(index + 1)
        }
        progress.finish()
        guard faults.isEmpty else {
            let more =
                faults.count > Self.maximumFaultCount ? ["… and \(faults.count - Self.maximumFaultCount) more"] : []
            let listed = faults.prefix(Self.maximumFaultCount) + more
            throw CommandError(.badData, "nothing is imported:\n" + listed.joined(separator: "\n"))
        }
        let workspace = Workspace(settings: try shared.settings())
        try await workspace.withStore { store in try await store.save(writes) }
        print(writes.count == 1 ? "1 user is set" : "\(writes.count) users are set")
    }
}
