import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkReporting
import DeepLinkStorage
import HTTPServer
import HTTPTypes
import HummingbirdCore
import NIOCore

/// The endpoint for a stream of user states, one JSON object a line: `POST /v1/users`.
///
/// Each line gets the body that `POST /v1/users/{id}` would give, in order, or its problem. Lines are written in
/// batches of `BatchLimits.size`, so that other writers can run in between. With `atomic=true`, all lines are read
/// before the first is written, and the first invalid one ends the stream with its problem. Up to
/// `BatchLimits.atomicSize` lines are one commit, so that a disk failure cannot split them either.
struct UserBulkEndpoint {
    let users: UserService
    let streams: LineStreamRules

    var endpoint: Endpoint {
        Endpoint(
            .post,
            "/v1/users",
            access: .administration,
            query: ["atomic"],
            body: .lines,
            produces: .ndjson,
            handler: .later { call in
                guard call.head.fields.idempotencyKey.count == 0 else {
                    throw Problem.unknown(
                        field: "Idempotency-Key",
                        detail:
                            "Many states are written without a key: send them again, a line that is stored changes nothing."
                    )
                }
                guard try call.query.bool("atomic") != true else { return try await writeAll(of: call) }
                return streams.respond(toBatchesOf: call) { await answers(to: $0, of: call) }
            }
        )
    }

    // MARK: Line by line

    /// Writes a batch of lines, and returns a line of the response for each.
    private func answers(to lines: [LineSplitter.Line], of call: EndpointRequest) async -> ByteBuffer {
        let time = users.now()
        let names = AccessNames(of: call.catalog)
        let wanted = lines.map { line in
            Result { () throws(Problem) in try write(line, of: call, at: time, names: names) }
        }
        return await answers(to: wanted, of: call, at: time)
    }

    private func answers(
        to wanted: [Result<UserStateWrite, Problem>],
        of call: EndpointRequest,
        at time: Timestamp
    ) async -> ByteBuffer {
        let writes = wanted.compactMap { try? $0.get() }
        var saved: ArraySlice<Result<UserStateWriteResult, UserStateWriteError>>
        do {
            saved = writes.isEmpty ? [] : try await self.saved(writes, of: call, at: time)[...]
        } catch {
            let problem = Problem.failedWrite(error).identified(by: call.head.id)
            users.failures.note(problem, of: call.head.id)
            return Self.lines(wanted.map { wanted in if case .failure(let own) = wanted { own } else { problem } })
        }
        let names = AccessNames(of: call.catalog)
        return Self.lines(
            wanted.map { wanted -> any WireBody in
                switch wanted {
                case .failure(let problem): problem
                case .success(let write): body(saved.popFirst(), of: write, at: time, names: names)
                }
            }
        )
    }

    /// Saves states, and writes the lines of the audit log before the response.
    private func saved(
        _ writes: [UserStateWrite],
        of call: EndpointRequest,
        at time: Timestamp
    ) async throws -> [Result<UserStateWriteResult, UserStateWriteError>] {
        let saved = try await users.store.saveEach(writes)
        await users.audit.note(.setUser, saved.compactMap { try? $0.get().audited }, of: call, at: time)
        return saved
    }

    private static func lines(_ bodies: [any WireBody]) -> ByteBuffer {
        var buffer = ByteBuffer()
        for body in bodies { buffer.writeLine(body.json) }
        return buffer
    }

    private func body(
        _ saved: Result<UserStateWriteResult, UserStateWriteError>?,
        of write: UserStateWrite,
        at time: Timestamp,
        names: AccessNames
    ) -> any WireBody {
        switch saved {
        case .success(let saved): UserBody(saved.state, at: time, names: names)
        case .failure(.superseded(let state?)): UserBody(state, at: time, isApplied: false, names: names)
        case .failure(.versionMismatch(let current)): Problem.versionMismatch(current, for: write.terms.precondition)
        // Lines do not have an idempotency key.
        case .failure(.superseded(nil)), .failure(.answered), nil: NoUserBody(write.id, levels: names.levels)
        }
    }

    private func write(
        _ line: LineSplitter.Line,
        of call: EndpointRequest,
        at time: Timestamp,
        names: AccessNames
    ) throws(Problem) -> UserStateWrite {
        guard case .whole(let bytes) = line else { throw JSONObjectBody.tooLarge }
        let user = try UserStateLine(bytes, at: time, names: names)
        return UserStateWrite(
            id: user.id,
            level: user.level,
            grants: user.grants,
            time: time,
            author: call.caller.name,
            asOf: user.asOf,
            isAudited: users.audit.isKept
        )
    }

    // MARK: All or none

    /// Returns the approximate number of bytes that a line occupies after it is read, since a short line is smaller
    /// than its state.
    private static func keptByteCount(of write: UserStateWrite) -> Int {
        // A growing array has room for up to twice its elements. A text of more than 15 bytes is stored separately.
        let text = write.id.text.utf8.count
        return 2 * MemoryLayout<UserStateWrite>.stride + (text > 15 ? text + 32 : 0)
            + (write.grants.map { 32 + $0.count * 96 } ?? 0)
    }

    private func writeAll(of call: EndpointRequest) async throws -> EndpointResponse {
        guard let body = call.lines else { return EndpointResponse(status: .ok) }
        var lines = LineSplitter(maximumByteCount: JSONObjectBody.maximumByteCount)
        var kept = ReservedBytes(of: streams.load.arriving)
        var writes: [UserStateWrite] = []
        var keptByteCount = 0
        let names = AccessNames(of: call.catalog)
        func take(_ line: LineSplitter.Line) throws {
            do throws(Problem) {
                let write = try write(line, of: call, at: users.now(), names: names)
                keptByteCount += Self.keptByteCount(of: write)
                writes.append(write)
            } catch {
                throw error.adding(.init("line", number: lines.lineNumber))
            }
        }
        for try await buffer in body {
            lines.append(buffer.readableBytesView)
            while let line = lines.next() { try take(line) }
            guard kept.become(lines.pendingByteCount + keptByteCount) else { throw Problem.tooManyBytes }
        }
        if let line = lines.last() { try take(line) }
        try await streams.checkCaller(of: call)
        // The first batch may contain all lines, in which case its problem is the response.
        let size = BatchLimits.size(of: writes.count)
        let time = users.now()
        let first = try await save(writes.prefix(size), of: call, at: time, names: names)
        let all = writes.dropFirst(size)
        return EndpointResponse(
            stream: ResponseBody { writer in
                try await writer.write(first)
                var rest = all
                while !rest.isEmpty {
                    let slice = rest.prefix(size).map { Result<UserStateWrite, Problem>.success($0) }
                    rest = rest.dropFirst(size)
                    try await writer.write(await answers(to: slice, of: call, at: users.now()))
                }
                try await writer.finish(nil)
            },
            .ndjson
        )
    }

    /// Writes a batch of lines, all or none, and returns a line of the response for each.
    private func save(
        _ writes: ArraySlice<UserStateWrite>,
        of call: EndpointRequest,
        at time: Timestamp,
        names: AccessNames
    ) async throws(Problem) -> ByteBuffer {
        do {
            let saved = try await saved(Array(writes), of: call, at: time)
            return Self.lines(zip(writes, saved).map { body($1, of: $0, at: time, names: names) })
        } catch {
            throw .failedWrite(error)
        }
    }
}
