import ArgumentParser
import DeepLinkCore
import DeepLinkFormats
import DeepLinkReporting
import DeepLinkStorage

/// The command that sets user states from a file, in one commit if they are few and otherwise in batches.
struct UserImportCommand: AsyncParsableCommand {
    /// The number of users in a batch, if they are too many for one commit.
    private static let sliceSize = 2000

    /// The maximum number of listed faults.
    private static let maximumFaultCount = 20

    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Sets user states from a file with one JSON object per line, once all lines are read.",
        discussion: """
            waymark user import users.ndjson

            A line is {"id":"…","authorizationLevel":"…"}, with "validUntil" and "levelAfter" if the level expires, \
            and {"grants":{"pro":{"validUntil":"…"}}} to replace all grants of that user, which otherwise stay. `user \
            export` prints such a file. "at" is the time as of which a line is valid: if a later change is known, the \
            state stays. If a line is malformed, or the file is empty, nothing is changed and the command exits with \
            65. Up to \(BatchLimits.atomicSize) lines are written in one transaction. More are written in batches, \
            so that a server need not wait. Run the command again after an interruption: lines that are already stored \
            change nothing.
            """
    )

    @Argument(help: "The file. Default, or with -: standard input.")
    var file: String = "-"

    @OptionGroup var new: NewDatabaseOption

    @OptionGroup var shared: SharedOptions

    /// Returns whether a byte is white space.
    ///
    /// NUL is not, since it fills files damaged by a crash.
    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    func run() async throws {
        let name = InputFile.name(file)
        let bytes = try InputFile.read(file)
        try CSVFile.refuse(bytes, named: name, members: "`id` and `authorizationLevel`")
        let lines = InputFile.lines(bytes).filter { !$0.line.allSatisfy(Self.isBlank) }
        // A file lost in a crash is empty. An empty import is never intended.
        guard !lines.isEmpty else {
            throw CommandError(.badData, message: "\(name) has no lines: nothing is imported. Export the users again.")
        }
        let workspace = try shared.workspace()
        let audit = try workspace.audit()
        let names = try await workspace.names(ofCatalog: shared.catalog != nil, creating: new.create)
        var writes: [UserStateWrite] = []
        var faults: [String] = []
        var places: [UserID: Int] = [:]
        var progress = ProgressBar(total: lines.count)
        for (index, (number, line)) in lines.enumerated() {
            do throws(Problem) {
                let now = SystemClock.now()
                let user = try UserStateLine(Array(line), at: now, names: names)
                if let first = places.updateValue(number, forKey: user.id) {
                    faults.append("\(name):\(number): the user `\(user.id.text)` is already in line \(first).")
                }
                let write = UserStateWrite(
                    id: user.id,
                    level: user.level,
                    grants: user.grants,
                    time: now,
                    author: UserOutput.author,
                    asOf: user.asOf,
                    isAudited: audit.isKept
                )
                writes.append(write)
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
            throw CommandError(.badData, message: "nothing is imported:\n" + listed.joined(separator: "\n"))
        }
        let count = try await workspace.withStore(named: true, creating: new.create) { store in
            try await save(writes, store: store, audit: audit)
        }
        print(count == 1 ? "1 user is set" : "\(count) users are set")
        let late = writes.count - count
        if late > 0 {
            print((late == 1 ? "1 is left as it is" : "\(late) are left as they are") + ", which is of a later moment")
        }
    }

    /// Writes in batches, with pauses for a server.
    ///
    /// - Returns: The number of writes that were not outdated.
    private func save(_ writes: [UserStateWrite], store: any OpenStore, audit: CommandAudit) async throws -> Int {
        var (rest, count) = (writes[...], 0)
        let size = writes.count <= BatchLimits.atomicSize ? max(writes.count, 1) : Self.sliceSize
        while !rest.isEmpty {
            let start = ContinuousClock.now
            let outcomes = try await store.saveEach(Array(rest.prefix(size)))
            await audit.note(.setUser, outcomes.compactMap { try? $0.get().audited })
            count += outcomes.count { (try? $0.get()) != nil }
            rest = rest.dropFirst(size)
            if !rest.isEmpty, store.isServed { try await BatchLimits.pause(afterBatchFrom: start) }
        }
        return count
    }
}
