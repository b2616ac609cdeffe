import ArgumentParser

/// The command that checks whether the running server is ready.
struct HealthcheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "healthcheck",
        abstract:
            "Requests `/readyz` on the configured port; exits with 0 if the server is ready, and names the parts that fail.",
        discussion: "Made for a container's HEALTHCHECK: it needs no other program in the image."
    )

    @OptionGroup var listening: ListeningOptions
    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let settings = try shared.settings(overriding: listening.overrides)
        let answer: ReadinessProbe.Answer
        do {
            answer = try await ReadinessProbe(host: settings.host, port: settings.port, isSecure: settings.tls != nil)
                .answer()
        } catch {
            let (way, hint) =
                settings.tls == nil
                ? ("plain HTTP", "; of a server with TLS, name its certificate and key as `waymark serve` does")
                : ("TLS", "")
            throw CommandError(
                .unavailable,
                message: "no server answers on \(settings.host):\(settings.port) in \(way)\(hint)."
            )
        }
        guard answer.status == 200 else {
            throw CommandError(
                .no,
                message: "the server on \(settings.host):\(settings.port) is not ready: status \(answer.status)."
            )
        }
        print(answer.degraded.isEmpty ? "ready" : "ready, degraded: \(answer.degraded.joined(separator: ", "))")
    }
}
