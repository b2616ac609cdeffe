import ArgumentParser

/// The command that asks the running server whether it is ready.
struct HealthcheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "healthcheck",
        abstract: "Asks `/readyz` of the configured port; exits with 0 where the server is ready.",
        discussion: "Made for a container's HEALTHCHECK: it needs no other program in the image."
    )

    @OptionGroup var listening: ListeningOptions
    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let settings = try shared.settings(overriding: listening.overrides)
        let status: Int
        do {
            status = try await ReadinessProbe(host: settings.host, port: settings.port).status()
        } catch {
            throw CommandError(.unavailable, "no server answers on \(settings.host):\(settings.port).")
        }
        guard status == 200 else {
            throw CommandError(.no, "the server on \(settings.host):\(settings.port) is not ready: status \(status).")
        }
        print("ready")
    }
}
