import DeepLinkCore
import DeepLinkFormats
import DeepLinkReporting
import NIOCore
import NIOHTTP1
import NIOPosix

struct ServerAddress {
    let host: String
    let port: Int

    /// The accepted certificates, or `nil` for plain text.
    let trust: ServerTrust?

    /// Creates an address from host and port, in which loopback replaces an address of all interfaces.
    init(host: String, port: Int, trust: ServerTrust?) {
        self.trust = trust
        switch host.bytewise {
        case "0.0.0.0": self.host = "127.0.0.1"
        case "::": self.host = "::1"
        default: self.host = host
        }
        self.port = port
    }

    /// Reads an http or https URL that ends with the port.
    ///
    /// - Parameters:
    ///   - text: The URL.
    ///   - trust: The accepted certificates of an https server.
    /// - Throws: ``CommandError`` of code 64.
    init(_ text: String, trust: ServerTrust) throws(CommandError) {
        guard let link = try? DeepLink(text), link.segments.isEmpty,
            ["http".bytewise, "https".bytewise].contains(link.scheme.bytewise)
        else {
            throw CommandError.usage(
                "`\(text)` isn't the address of a server. Write http://host:port or https://host:port."
            )
        }
        let isSecure = link.scheme.bytewise == "https"
        self.init(host: link.host, port: link.port ?? (isSecure ? 443 : 80), trust: isSecure ? trust : nil)
    }

    /// The address for messages and the `Host` header.
    var text: String { "\(host):\(port)" }
}

/// The request for a server's resolution report.
struct ReportQuestion {
    private static let timeout = TimeAmount.seconds(10)

    /// The maximum size of a response, in bytes.
    private static let maximumByteCount = 64 << 20

    private let address: ServerAddress
    private let token: String?

    init(_ address: ServerAddress, token: String?) {
        self.address = address
        self.token = token
    }

    /// Returns the report.
    ///
    /// - Throws: ``CommandError`` of code 69 if no server answers, and of code 1 if it refuses the request.
    func answer() async throws -> ResolutionReport {
        let (status, body): (Int, [UInt8])
        do {
            (status, body) = try await ask()
        } catch let error as CommandError {
            throw error
        } catch {
            // The library's description has names of its source files instead of a reason.
            let message =
                address.trust == nil
                ? "no server answers on \(address.text)."
                : "no server answers over TLS on \(address.text), or its certificate is not accepted. Name a file of your "
                    + "own authorities by --authorities."
            throw CommandError.unavailable(message)
        }
        guard status == 200 else {
            var detail = "status \(status)"
            if case .object(let problem)? = try? JSONParser.parse(body), case .string(let text)? = problem["detail"] {
                detail = text
            }
            throw CommandError.no("\(address.text): \(detail)")
        }
        guard let json = try? JSONParser.parse(body), let report = try? ResolutionReport(json) else {
            throw CommandError.badData("\(address.text) answers with no report.")
        }
        return report
    }

    private func ask() async throws -> (Int, [UInt8]) {
        let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connectTimeout(Self.timeout)
        let channel = try await bootstrap.connect(host: address.host, port: address.port) { channel in
            channel.eventLoop.makeCompletedFuture {
                try address.trust?.add(to: channel.pipeline.syncOperations, host: address.host)
                try channel.pipeline.syncOperations.addHTTPClientHandlers()
                return try NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>(
                    wrappingChannelSynchronously: channel
                )
            }
        }
        return try await channel.executeThenClose { inbound, outbound in
            var headers = HTTPHeaders([("Host", address.text), ("Connection", "close")])
            if let token { headers.add(name: "Authorization", value: "Bearer \(token)") }
            try await outbound.write(
                .head(HTTPRequestHead(version: .http1_1, method: .GET, uri: "/v1/report", headers: headers))
            )
            try await outbound.write(.end(nil))
            var (status, body) = (0, [UInt8]())
            for try await part in inbound {
                switch part {
                case .head(let head): status = Int(head.status.code)
                case .body(let bytes):
                    body += bytes.readableBytesView
                    guard body.count <= Self.maximumByteCount else { throw ChannelError.eof }
                case .end: return (status, body)
                }
            }
            throw ChannelError.eof
        }
    }
}
