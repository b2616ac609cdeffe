@testable import DeepLinkAuthentication
@testable import DeepLinkCore
@testable import DeepLinkFormats
@testable import DeepLinkHTTP
@testable import DeepLinkStorage
@testable import HTTPServer

/// Parses any bytes as JSON, compares that with Foundation, and reads them as each body that a client sends.
func fuzzJSON(_ input: FuzzInput) {
    let bytes = input.bytes
    let value: JSONValue
    do throws(JSONSyntaxError) {
        value = try JSONParser.parse(bytes)
    } catch {
        Law.require((0...bytes.count).contains(error.offset), "the offset \(error.offset) is outside the text")
        Law.require(!error.message.isEmpty, "an error says nothing")
        // Text that isn't JSON isn't a body either.
        checkBodies(bytes, isObject: false)
        return
    }
    FoundationOracle.check(value, of: bytes)
    checkWriting(value)
    let isObject = if case .object = value { true } else { false }
    checkBodies(bytes, isObject: isObject)
}

/// Checks that what is written is read again as the same.
private func checkWriting(_ value: JSONValue) {
    let text = written(value)
    let again = Law.require(try? JSONParser.parse(text), "unreadable: \(String(decoding: text, as: UTF8.self))")
    Law.require(again == value, "written, it is another value: \(String(decoding: text, as: UTF8.self))")
    Law.require(written(again) == text, "written twice, it differs: \(String(decoding: text, as: UTF8.self))")
}

private func written(_ value: JSONValue) -> [UInt8] {
    var writer = JSONWriter()
    writer.json(value)
    return writer.bytes
}

// MARK: Bodies

private func checkBodies(_ bytes: [UInt8], isObject: Bool) {
    var isRead = false
    isRead = checkBody { () throws(Problem) in try checkResolving(bytes) } || isRead
    isRead = checkBody { () throws(Problem) in try checkBuilding(bytes) } || isRead
    isRead = checkBody { () throws(Problem) in try checkGrant(bytes) } || isRead
    isRead =
        checkBody { () throws(Problem) in
            _ = try UserStateLine(
                bytes,
                at: Timestamp(millisecondsSinceEpoch: 1_795_000_000_000),
                names: AccessNames(levels: .standard)
            )
        } || isRead
    Law.require(isObject || !isRead, "what is no object is read as a body")
}

/// Reads a body; tells whether it is one, and checks the problem that it gets if not.
private func checkBody(_ read: () throws(Problem) -> Void) -> Bool {
    do throws(Problem) {
        try read()
        return true
    } catch {
        Law.require([400, 404, 422].contains(error.code.status), "the problem is \(error.code.rawValue)")
        Law.require((try? JSONParser.parse(error.json)) != nil, "the problem \(error.code.rawValue) is no JSON")
        return false
    }
}

/// The body of `POST /v1/resolve`, and a line of a batch.
private func checkResolving(_ bytes: [UInt8]) throws(Problem) {
    let body = try JSONObjectBody(bytes, keys: ResolveArguments.names)
    for catalog in Catalogs.all {
        let arguments = try ResolveArguments(
            body: body,
            terms: ResolutionTerms(RequestFields()),
            caller: .anyone,
            catalog: catalog,
            recent: ResolutionCache()
        )
        let answer: any WireBody
        do throws(Problem) {
            answer = PlanBody(try resolve(arguments.request, userLevel: .highest, catalog: catalog).plan())
        } catch {
            answer = error
        }
        Law.require((try? JSONParser.parse(answer.json)) != nil, "the answer is no JSON")
    }
}

/// The body of `POST /v1/links`.
private func checkBuilding(_ bytes: [UInt8]) throws(Problem) {
    let body = try JSONObjectBody(bytes, keys: ["stack", "scheme"])
    let scheme = try body.string("scheme")
    let stack = try (body["stack"] ?? .null).stack(field: "stack")
    for catalog in Catalogs.all {
        do throws(LinkBuildingError) {
            let text = try DeepLinkCore.link(to: stack, scheme: scheme, catalog: catalog)
            let request = (try? DeepLink(text)).map { ResolutionRequest(link: $0) }
            let answer = request.map { resolve($0, userLevel: .highest, catalog: catalog) }
            guard case .plan(let plan)? = answer else {
                Law.require(false, "the link \(text) of a stack leads nowhere")
                return
            }
            // Initial children may be left out of a stack.
            var rest = plan.stack[...]
            let isThere = stack.allSatisfy { destination in
                while let next = rest.popFirst() { if next.route == destination.route { return true } }
                return false
            }
            Law.require(isThere, "the link \(text) of a stack leads elsewhere")
            // Canonical links have no port, so under a host that is listed with one there are none.
            let isCanonical = plan.link.port != nil || plan.canonicalLink == text
            Law.require(isCanonical, "the link \(text) of a stack is not canonical")
        } catch {
            Law.require((try? JSONParser.parse(Problem(error).json)) != nil, "the problem is no JSON")
            guard case .destination(let fault) = error, !stack.isEmpty else { continue }
            Law.require(stack.indices.contains(fault.index), "the fault is at \(fault.index), outside the stack")
        }
    }
}

/// The body of `POST /v1/users/{id}`.
private func checkGrant(_ bytes: [UInt8]) throws(Problem) {
    let grant = try JSONObjectBody(bytes, keys: JSONObjectBody.levelKeys).heldLevel(in: .standard)
    guard let end = grant.validUntil else { return }
    Law.require(Timestamp(rfc3339: end.rfc3339) == end, "the time \(end.rfc3339) reads back as another")
    let level = grant.level(at: end, in: .standard)
    Law.require(level == LevelLadder.standard.level(stored: grant.level), "the level ends too early")
}
