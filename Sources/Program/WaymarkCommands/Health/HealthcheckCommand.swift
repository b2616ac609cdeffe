import ArgumentParser
import DeepLinkCore
import DeepLinkFormats
import NIOCore
import NIOHTTP1
import NIOPosix

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
        let answer: ReadinessProbe.Answer
        do {
            answer = try await ReadinessProbe(host: settings.host, port: settings.port, isSecure: settings.tls != nil)
                .answer()
        } catch {
            let (way, hint) =
                settings.tls == nil
                ? ("plain HTTP", "; of a server with TLS, name its certificate and key as `waymark serve` does")
                : ("TLS", "")
            throw CommandError.unavailable("no server answers on \(settings.host):\(settings.port) in \(way)\(hint).")
        }
        guard answer.status == 200 else {
            throw CommandError.no(
                "the server on \(settings.host):\(settings.port) is not ready: status \(answer.status)."
            )
        }
        print(answer.degraded.isEmpty ? "ready" : "ready, degraded: \(answer.degraded.joined(separator: ", "))")
    }
}

/// A single readiness request to a server.
struct ReadinessProbe {
    /// The response to `GET /readyz`.
    struct Answer {
        let status: Int

        /// The parts of a ready server that have failed.
        let degraded: [String]
    }

    private static let timeout = TimeAmount.seconds(2)

    /// The maximum number of bytes that are read of a response.
    private static let maximumBodyByteCount = 65_536

    private let host: String
    private let port: Int
    private let isSecure: Bool

    /// Creates a probe of an address, in which loopback replaces an address of all interfaces.
    ///
    /// Over TLS any certificate is accepted, since nothing secret is transferred and the server's name is unknown here.
    init(host: String, port: Int, isSecure: Bool) {
        self.isSecure = isSecure
        self.host =
            switch host.bytewise {
            case "0.0.0.0": "127.0.0.1"
            case "::": "::1"
            default: host
            }
        self.port = port
    }

    /// Returns the failed parts that the body names.
    private static func degraded(_ body: [UInt8]) -> [String] {
        guard case .object(let members)? = try? JSONParser.parse(body), case .array(let parts)? = members["degraded"]
        else { return [] }
        return parts.compactMap { part in if case .string(let name) = part { name } else { nil } }
    }

    /// Requests `GET /readyz`.
    ///
    /// - Throws: The connection's error if no server answers in time.
    func answer() async throws -> Answer {
        let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connectTimeout(Self.timeout)
        let channel = try await bootstrap.connect(host: host, port: port) { channel in
            channel.eventLoop.makeCompletedFuture {
                if isSecure { try ServerTrust.any.add(to: channel.pipeline.syncOperations, host: host) }
                try channel.pipeline.syncOperations.addHandler(IdleStateHandler(readTimeout: Self.timeout))
                try channel.pipeline.syncOperations.addHandler(ClosesWhenIdle())
                try channel.pipeline.syncOperations.addHTTPClientHandlers()
                return try NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>(
                    wrappingChannelSynchronously: channel
                )
            }
        }
        return try await channel.executeThenClose { inbound, outbound in
            let headers = HTTPHeaders([("Host", "\(host):\(port)"), ("Connection", "close")])
            try await outbound.write(
                .head(HTTPRequestHead(version: .http1_1, method: .GET, uri: "/readyz", headers: headers))
            )
            try await outbound.write(.end(nil))
            var status: Int?
            var body = ByteBuffer()
            for try await part in inbound {
                switch part {
                case .head(let head): status = Int(head.status.code)
                case .body(let bytes):
                    guard body.readableBytes + bytes.readableBytes <= Self.maximumBodyByteCount else { continue }
                    body.writeImmutableBuffer(bytes)
                case .end:
                    guard let status else { throw ChannelError.eof }
                    return Answer(status: status, degraded: Self.degraded(Array(body.readableBytesView)))
                }
            }
            throw ChannelError.eof
        }
    }
}

/// The handler that closes an idle connection, as reported by the idle handler before it.
private final class ClosesWhenIdle: ChannelInboundHandler {
    typealias InboundIn = Any

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is IdleStateHandler.IdleStateEvent else {
            context.fireUserInboundEventTriggered(event)
            return
        }
        context.close(promise: nil)
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
