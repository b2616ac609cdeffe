import ArgumentParser
import DeepLinkCore
import DeepLinkFormats
import NIOCore

/// The command that checks whether the running server is ready.
package struct HealthcheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "healthcheck",
        abstract:
            "Requests `/readyz` on the configured port. Exits with 0 if the server is ready, and names the parts that fail.",
        discussion: "Made for a container's HEALTHCHECK: it needs no other program in the image."
    )

    @OptionGroup var listening: ListeningOptions
    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let settings = try shared.settings(overriding: listening.overrides)
        // Any certificate is accepted, since nothing secret is transferred and the server's name is unknown here.
        let trust = settings.tls.map { _ in ServerTrust.any }
        let address = ServerAddress(host: settings.host, port: settings.port, trust: trust)
        let (status, body): (Int, [UInt8])
        do {
            (status, body) = try await ServerRequest(
                address: address,
                path: "/readyz",
                timeout: .seconds(2),
                limitsReading: true
            )
            .response()
        } catch {
            let (way, hint) =
                settings.tls == nil
                ? ("plain HTTP", "; of a server with TLS, name its certificate and key as `waymark serve` does")
                : ("TLS", "")
            throw CommandError.unavailable("no server answers on \(settings.host):\(settings.port) in \(way)\(hint).")
        }
        guard status == 200 else {
            let reason = Self.problem(body).map { ", \($0)" } ?? ""
            throw CommandError.no(
                "the server on \(settings.host):\(settings.port) is not ready: status \(status)\(reason)."
            )
        }
        let degraded = Self.degraded(body)
        print(degraded.isEmpty ? "ready" : "ready, degraded: \(degraded.joined(separator: ", "))")
    }

    /// Returns the code of a problem, or `nil` for another body.
    private static func problem(_ body: [UInt8]) -> String? {
        let namespace = "urn:waymark:problem:".utf8
        guard case .object(let members)? = try? JSONParser.parse(body), case .string(let type)? = members["type"],
            type.utf8.starts(with: namespace)
        else { return nil }
        return String(Substring(type.utf8.dropFirst(namespace.count)))
    }

    /// Returns the failed parts of a ready server, as the body names them.
    private static func degraded(_ body: [UInt8]) -> [String] {
        guard case .object(let members)? = try? JSONParser.parse(body), case .array(let parts)? = members["degraded"]
        else { return [] }
        return parts.compactMap { part in if case .string(let name) = part { name } else { nil } }
    }
}

/// The loopback addresses, which other machines cannot reach.
package enum LoopbackAddress {
    /// Returns whether listening on a host lets only processes of this machine connect.
    package static func contains(_ host: String) -> Bool {
        host.bytewise == "localhost" || host.bytewise == "::1"
            || (host.utf8.starts(with: "127.".utf8)
                && host.utf8.allSatisfy { ASCII.isDigit($0) || $0 == UInt8(ascii: ".") })
    }
}
