import ArgumentParser
import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkReporting
import DeepLinkStorage
import Foundation

/// The command that revokes a service token.
struct TokenRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revokes a token. A running server refuses it within a second.",
        discussion: """
            waymark token revoke qd3fwf78ryx2

            The id is the part of the token between the underscores. A whole token, such as a leaked one, is accepted \
            too. Revoking is permanent, and repeating it changes nothing. Exits with 1 if the token doesn't exist.
            """
    )

    @Argument(help: "The token's id, as `token list` shows it, or the token itself.")
    var id: String

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        guard let id = ServiceTokenID(id) ?? ServiceTokenText(id)?.id else {
            throw CommandError.usage("that isn't the id of a token. `waymark token list` shows the ids.")
        }
        let workspace = try shared.workspace()
        let audit = workspace.auditUnlessUnavailable()
        let isKnown = try await workspace.withStore { store in
            let former = try await store.serviceTokens().first { $0.id == id }
            let now = SystemClock.now()
            let isKnown = try await store.revoke(id, at: now)
            if let former, former.revoked == nil {
                let revoked = former.revoked(at: now)
                await audit.note(
                    .revokeToken,
                    of: .token(id),
                    before: .facts(former.auditFacts),
                    after: .facts(revoked.auditFacts)
                )
            }
            return isKnown
        }
        guard isKnown else { throw CommandError.no("the token \(id.text) does not exist.") }
        print("\(id.text) is revoked")
    }
}

/// The command that waits for the first service token.
struct TokenWaitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wait",
        abstract: "Waits for the first token, which a server needs to start on an address beyond loopback.",
        discussion: """
            Made for a step before the server, such as an init container. It needs no other program in the image, and \
            the token is created meanwhile:

            kubectl exec "$pod" -c first-token -- waymark token create --role admin --create

            It checks every two seconds, and also waits for a database that does not exist yet or is unavailable. It \
            prints nothing to standard output, and exits with 0. Revoked and expired tokens count, as they do for the \
            server. On SIGTERM it exits with 143.
            """
    )

    /// The time between two checks.
    private static let interval = Duration.seconds(2)

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        // As the first process of a container it would otherwise ignore the signal.
        signal(SIGTERM) { _ in _exit(143) }
        let workspace = try shared.workspace()
        var told = ""
        while true {
            var reason = "there is none in the database \(workspace.settings.database.name)."
            do {
                guard try await workspace.withStore({ try await $0.serviceTokens() }).isEmpty else { return }
            } catch let error as CommandError where error.code == .unavailable {
                // The database is about to be created, or to become available again.
                reason = error.message ?? reason
            }
            if !told.utf8.elementsEqual(reason.utf8) {
                StandardError.print(
                    "waymark: waiting for a token, which `waymark token create --role admin --create` makes: \(reason)"
                )
            }
            told = reason
            try await Task.sleep(for: Self.interval)
        }
    }
}
