import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage
import HTTPServer
import HummingbirdCore
import NIOCore

/// The creation of many short links, one JSON object a line.
///
/// Each line gets the body that its link alone would get, with its `status`, in order, or its problem. Lines are
/// written in batches of `BatchLimits.size`, so that other writers can run in between. A line with a name creates
/// one link, however often it is sent.
struct ShortLinkLines {
    let making: ShortLinkWriter
    let audit: AuditTrail
    let streams: LineStreamRules

    /// Answers the lines of a request.
    ///
    /// - Throws: `Problem` if the request has an idempotency key, unsupported for lines, or comes from an end user.
    func respond(to call: EndpointRequest) throws(Problem) -> EndpointResponse {
        if case .endUser = call.caller {
            throw .insufficientScope(.publisher, reason: "A user's own token makes one short link at a time.")
        }
        guard call.head.fields.idempotencyKey.count == 0 else {
            throw .unknown(
                field: "Idempotency-Key",
                detail: "Many short links are made without a key: give each a `name`, and send them again."
            )
        }
        return streams.respond(toBatchesOf: call) { await answers(to: $0, of: call) }
    }

    /// A line after it is read: a write, or its result.
    private enum Step {
        case write(ShortLinkWrite)
        case known(ShortLink)
        case refused(Problem)
    }

    private func answers(to lines: [LineSplitter.Line], of call: EndpointRequest) async -> ByteBuffer {
        let requests = lines.map { line in
            Result { () throws(Problem) in try request(in: line, of: call) }
        }
        // The names of all lines are looked up at once.
        let namings = requests.compactMap { (try? $0.get())?.naming }
        let known: Result<[ShortLinkName: ShortLink], Problem>
        do throws(Problem) {
            known = .success(try await making.links(of: namings))
        } catch {
            known = .failure(error)
        }
        var steps: [Step] = []
        for request in requests { steps.append(await step(for: request, among: known, of: call)) }
        let writes = steps.compactMap { step -> ShortLinkWrite? in
            if case .write(let write) = step { write } else { nil }
        }
        var saved: ArraySlice<Result<ShortLinkWriteResult, ShortLinkWriteError>> = []
        var failure: Problem?
        do {
            if !writes.isEmpty { saved = try await save(writes, of: call)[...] }
        } catch {
            let problem = Problem.failedWrite(error).identified(by: call.head.id)
            making.shortLinks.failures.note(problem, of: call.head.id)
            failure = problem
        }
        var buffer = ByteBuffer()
        let time = making.shortLinks.now()
        for step in steps {
            let body: any WireBody =
                switch step {
                case .known(let link): call.body(of: link, at: time, status: 200)
                case .refused(let problem): problem
                case .write:
                    switch (failure, saved.popFirst()) {
                    case (let failure?, _): failure
                    case (nil, .success(let saved)?):
                        call.body(of: saved.link, at: time, status: saved.isNew ? 201 : 200)
                    case (nil, .failure(let error)?): Problem(error)
                    case (nil, nil): Problem.overloaded
                    }
                }
            buffer.writeLine(body.json)
        }
        return buffer
    }

    /// Saves links, and writes the lines of the audit log before the response.
    private func save(
        _ writes: [ShortLinkWrite],
        of call: EndpointRequest
    ) async throws -> [Result<ShortLinkWriteResult, ShortLinkWriteError>] {
        let saved = try await making.shortLinks.store.saveEach(writes)
        await audit.note(saved.compactMap { try? $0.get() }, of: call, at: making.shortLinks.now())
        return saved
    }

    private func request(in line: LineSplitter.Line, of call: EndpointRequest) throws(Problem) -> RequestedShortLink {
        guard case .whole(let bytes) = line else { throw JSONObjectBody.tooLarge }
        let body = try JSONObjectBody(bytes, keys: RequestedShortLink.lineKeys)
        return try RequestedShortLink(body, by: call.caller, in: call.catalog)
    }

    private func step(
        for request: Result<RequestedShortLink, Problem>,
        among known: Result<[ShortLinkName: ShortLink], Problem>,
        of call: EndpointRequest
    ) async -> Step {
        do throws(Problem) {
            let requested = try request.get()
            if requested.naming != nil,
                let link = try ShortLinkWriter.known(requested, among: known.get(), to: call.caller)
            {
                return .known(link)
            }
            return .write(try await making.write(requested, in: call))
        } catch {
            return .refused(error.identified(by: call.head.id))
        }
    }
}
