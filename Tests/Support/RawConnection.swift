import Foundation
import Glibc

/// Speaks to a server in bytes, so that tests see exactly what is on the wire.
package final class RawConnection: Sendable {
    /// A system call that failed.
    package struct Failure: Error {
        let call: String
        let code: Int32
    }

    private let descriptor: Int32

    /// Connects to a port of this machine; a small buffer makes the connection one that reads slowly.
    package init(port: Int, receiveBufferByteCount: Int32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(call: "socket", code: errno) }
        if var count = receiveBufferByteCount {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &count, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Failure(call: "connect", code: errno) }
        var timeout = timeval(tv_sec: 300, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// Sends bytes and reads one whole response, off the threads that the server's tasks run on.
    package func exchange(_ request: [UInt8], isHead: Bool = false) async throws -> RawResponse {
        try await Self.offPool { [self] in
            try send(request)
            return try receive(isHead: isHead)
        }
    }

    /// Sends bytes without waiting for an answer.
    package func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            // A server that has answered early may close before it has read everything.
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Sends bytes, and tells whether the connection took them: one that the other side has closed does not for long.
    package func trySend(_ bytes: [UInt8]) throws -> Bool {
        bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) } == bytes.count
    }

    /// Waits for the other side to send something or to close, for so many seconds.
    package func hasInput(within seconds: Double) throws -> Bool {
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let count = Glibc.poll(&poll, 1, Int32(seconds * 1000))
        guard count >= 0 else { throw Failure(call: "poll", code: errno) }
        return count > 0
    }

    /// Waits for bytes; a signal that stops the process for a while ends no wait (signal(7): calls with a timeout fail with
    /// EINTR then).
    private func receive(into chunk: inout [UInt8]) -> Int {
        while true {
            let count = recv(descriptor, &chunk, chunk.count, 0)
            guard count < 0, errno == EINTR else { return count }
        }
    }

    /// Reads one response: its head, and as much body as that declares.
    package func receive(isHead: Bool = false) throws -> RawResponse {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            if let response = RawResponse(bytes, isHead: isHead) { return response }
            let count = receive(into: &chunk)
            guard count > 0 else {
                throw Failure(call: "recv after \(bytes.count) bytes", code: count == 0 ? 0 : errno)
            }
            bytes += chunk[..<count]
        }
    }

    /// Waits for bytes, and reads what is there; nothing, once the other side has closed.
    package func receiveSome() throws -> [UInt8] {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = receive(into: &chunk)
        // A server that closes on unread bytes ends the connection for both sides.
        guard count >= 0 || errno == ECONNRESET else { throw Failure(call: "recv", code: errno) }
        return Array(chunk.prefix(max(count, 0)))
    }

    /// Sends bytes and reads until a text has arrived, off the threads that the server's tasks run on.
    package func exchange(_ bytes: [UInt8], until text: String) async throws -> String {
        try await Self.offPool { [self] in
            try send(bytes)
            var received: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = receive(into: &chunk)
                guard count > 0 else { throw Failure(call: "recv", code: errno) }
                received += chunk[..<count]
                let all = String(decoding: received, as: UTF8.self)
                if all.contains(text) { return all }
            }
        }
    }

    /// Sends bytes and reads everything until the server closes, off the threads that the server's tasks run on.
    package func exchangeUntilClose(_ request: [UInt8]) async throws -> String {
        try await Self.offPool { [self] in
            try send(request)
            var bytes: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = receive(into: &chunk)
                guard count > 0 else { break }
                bytes += chunk[..<count]
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// Runs blocking work on a thread of its own; those of Dispatch are few, and the store needs one.
    package static func offPool<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws
        -> Result
    {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Swift.Result { try work() }) }
        }
    }
}
