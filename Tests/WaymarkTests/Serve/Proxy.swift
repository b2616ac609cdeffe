import Foundation
import Glibc
import WaymarkTestSupport

/// A real nginx in front of a server, as long as a body runs.
///
/// `scripts/setup nginx` installs it.
enum Proxy {
    /// Runs nginx with further lines in its one location, and a body, which gets the port.
    static func with<Result: Sendable>(
        to port: Int,
        _ lines: String,
        _ body: (Int) async throws -> Result
    ) async throws -> Result {
        try await TemporaryFolder.with { folder in
            let ownPort = try freePort()
            let configuration = """
                daemon off; worker_processes 1; pid \(folder)/pid; error_log stderr warn;
                events { worker_connections 64; }
                http {
                    access_log off;
                    client_body_temp_path \(folder)/a; proxy_temp_path \(folder)/b; fastcgi_temp_path \(folder)/c;
                    uwsgi_temp_path \(folder)/d; scgi_temp_path \(folder)/e;
                    server {
                        listen 127.0.0.1:\(ownPort);
                        location / { proxy_pass http://127.0.0.1:\(port); \(lines) }
                    }
                }
                """
            let file = folder + "/nginx.conf"
            try configuration.write(toFile: file, atomically: true, encoding: .utf8)
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = ["nginx", "-e", "stderr", "-p", folder, "-c", file]
            // Debian has it where only root looks.
            let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
            process.environment = ["PATH": "\(path):/usr/local/sbin:/usr/sbin:/sbin"]
            try process.run()
            defer { process.terminate() }
            while (try? RawConnection(port: ownPort)) == nil {
                guard process.isRunning else { throw NoProxy(code: process.terminationStatus) }
                try await Task.sleep(for: .milliseconds(20))
            }
            return try await body(ownPort)
        }
    }

    /// A port that nobody listens on, and that the system hands out to nobody else for a while.
    private static func freePort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 ? getsockname(descriptor, address, &length) : -1
            }
        }
        guard code == 0 else { throw NoProxy(code: errno) }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    /// The error if nginx is not there, or has ended: `scripts/setup nginx` installs it.
    private struct NoProxy: Error {
        let code: Int32
    }
}
