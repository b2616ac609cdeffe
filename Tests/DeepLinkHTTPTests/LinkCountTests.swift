import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkReporting
import DeepLinkStorage
import Foundation
import ServerTestSupport
import Testing
import WaymarkTestSupport

@testable import DeepLinkHTTP

/// The uses of links that a server counts, and those that it doesn't.
@Suite struct LinkCountTests {
    /// A client of one server, by which callers of every kind ask.
    private struct Client {
        let port: Int

        /// An end user's token, of a user named ada.
        let userToken: String

        static let app = "Waymark-App: ios/3.1.0\r\n"
        static let resolver = "Authorization: Bearer \(TestToken.resolver.text)\r\n"
        static let admin = "Authorization: Bearer \(TestToken.admin.text)\r\n"

        var user: String { "Authorization: Bearer \(userToken)\r\n" }

        /// Sends a request, and returns the response.
        @discardableResult
        func send(_ line: String, _ fields: String, body: String = "", lines: Bool = false) async throws -> RawResponse
        {
            var text = "\(line) HTTP/1.1\r\nHost: localhost\r\n\(fields)"
            if !body.isEmpty {
                let type = lines ? "application/x-ndjson" : "application/json"
                text += "Content-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n"
            }
            let isHead = line.hasPrefix("HEAD")
            return try await RawConnection(port: port).exchange(Array((text + "\r\n" + body).utf8), isHead: isHead)
        }

        /// Resolves a link.
        @discardableResult
        func resolve(_ link: String, _ fields: String, _ more: String = "") async throws -> RawResponse {
            try await send("GET /v1/resolve?link=\(link)\(more)", fields)
        }

        /// Redeems the continuation of a refusal.
        @discardableResult
        func redeem(_ refusal: RawResponse, _ fields: String) async throws -> RawResponse {
            let token = refusal.text.firstMatch(of: /"continuation":"([^"]+)"/)?.1 ?? ""
            return try await send("POST /v1/continuations", fields, body: #"{"token":"\#(token)","user":"ada"}"#)
        }

        func set(_ level: String) async throws {
            try await send("POST /v1/users/ada", Self.admin, body: #"{"authorizationLevel":"\#(level)"}"#)
        }

        /// Returns the rows of counts, without their brackets.
        func rows(by parts: String = "route") async throws -> String {
            let text = try await send("GET /v1/counts?by=\(parts)", Self.admin).text
            return String(text.firstMatch(of: /"rows":\[(.*)\]/)?.1 ?? Substring(text))
        }

        /// Returns the sums of the report: resolved, gated, failed.
        func report() async throws -> String {
            let text = try await send("GET /v1/report", Self.admin).text
            return String(text.firstMatch(of: /"total":\{("resolved":\d+,"gated":\d+,"failed":\d+)/)?.1 ?? "")
        }
    }

    private func withClient(_ body: @Sendable (Client) async throws -> Void) async throws {
        let token = try await TestIssuer.shared.value.curve.token(TestIssuer.claims())
        let server = try await TestServer.application(.tokens, endUsers: TestIssuer.verifier())
        try await server.whileServing { port in try await body(Client(port: port, userToken: token)) }
    }

    private static let (open, closed) = ("navigation:/onboarding", "navigation:/settings")

    @Test func `a link is opened by an app, by whatever token, and by no service itself`() async throws {
        try await withClient { client in
            try await client.resolve(Self.open, Client.resolver)
            #expect(try await client.rows() == "")
            try await client.resolve(Self.open, Client.resolver + Client.app)
            // The second of the same link is answered from memory.
            for _ in 0..<3 { try await client.resolve(Self.open, client.user) }
            try await client.resolve(Self.open, client.user + Client.app, "&arrival=referrer")
            try await client.send(
                "POST /v1/resolve",
                Client.resolver + Client.app,
                body: #"{"link":"navigation:/onboarding/step1"}"#
            )
            #expect(
                try await client.rows() == """
                    {"route":"onboarding","opened":5,"openedByUsers":4,"arrived":1},{"route":"step1","opened":1}
                    """
            )
            #expect(try await client.report() == #""resolved":7,"gated":0,"failed":0"#)
        }
    }

    @Test func `an app counts wherever it is named, whoever asks`() async throws {
        try await withClient { client in
            let body = #"{"link":"navigation:/onboarding","app":"ios/3.1.0"}"#
            try await client.resolve(Self.open, Client.resolver, "&app=ios/3.1.0")
            try await client.send("POST /v1/resolve", Client.resolver, body: body)
            for app in ["ios/3.1.0-dev", "ios/3.1.0.0.7", "browser/2.4", "android/0"] {
                try await client.send("POST /v1/resolve", Client.resolver, body: body.replacing("ios/3.1.0", with: app))
            }
            try await client.resolve("navigation:/nowhere", Client.resolver, "&app=android/4")
            // A gate, and its redemption by an app that names itself there alone.
            let refusal = try await client.resolve(Self.closed, Client.resolver, "&user=ada&app=ios/3.1.0")
            try await client.set("signedInUser")
            let token = refusal.text.firstMatch(of: /"continuation":("[^"]+")/)?.1 ?? ""
            let redemption = #"{"token":\#(token),"user":"ada","app":"ios/3.1.0"}"#
            #expect(try await client.send("POST /v1/continuations", Client.resolver, body: redemption).status == 200)
            try await client.resolve(Self.open, Client.resolver, "&app=ios/3.1.0&explain=true")
            #expect(
                try await client.rows() == """
                    {"route":"","failed":1},{"route":"onboarding","opened":6},\
                    {"route":"settings","opened":1,"passed":1,"gated":{"onboardingCompleted":1}}
                    """
            )
        }
    }

    @Test func `somebody who is not signed in goes from a page to the app, and the counts say so`() async throws {
        let service = try TestServer.service(.linkDomain)
        try await TestServer.application(service)
            .whileServing { port in
                let client = Client(port: port, userToken: "")
                func counts() async throws -> String {
                    try await client.send("GET /v1/counts?by=route", Client.admin).text
                }
                let page = "GET /p/5 HTTP/1.1\r\nHost: links.example.com\r\nAccept: text/html\r\n\r\n"
                let visit = try await RawConnection(port: port).exchange(Array(page.utf8), isHead: false)
                #expect(visit.status == 200)
                let link = "https://links.example.com/p/5"
                // An app that doesn't say who it is counts nothing, and the answer says why that may be.
                let nameless = #"{"link":"\#(link)"}"#
                #expect(try await client.send("POST /v1/resolve", Client.resolver, body: nameless).status == 200)
                let hinted = try await counts()
                #expect(
                    hinted.contains(#""rows":[{"route":"product","page":1}],"hint":"Links were visited"#),
                    "\(hinted)"
                )
                let named = #"{"link":"\#(link)","app":"android/3.1.0","arrival":"referrer"}"#
                #expect(try await client.send("POST /v1/resolve", Client.resolver, body: named).status == 200)
                let counted = try await counts()
                #expect(counted.contains(#"{"route":"product","opened":1,"arrived":1,"page":1}"#), "\(counted)")
                #expect(!counted.contains("hint"), "\(counted)")
            }
    }

    @Test func `nothing counts that only tries a link out`() async throws {
        try await withClient { client in
            let fields = Client.resolver + Client.app
            for link in [Self.open, Self.closed, "navigation:/nowhere"] {
                for more in ["&explain=true", "&level=none", "&level=signedInUser"] {
                    try await client.resolve(link, fields, more)
                }
                try await client.send("HEAD /v1/resolve?link=\(link)", fields)
                let line = #"{"link":"\#(link)"}"# + "\n"
                let batch = "POST /v1/resolve/batch"
                try await client.send(batch, fields, body: String(repeating: line, count: 3), lines: true)
            }
            #expect(try await client.rows() == "")
            #expect(try await client.report() == #""resolved":0,"gated":0,"failed":0"#)
        }
    }

    @Test func `gates and failures count for apps, under the route that the link leads to`() async throws {
        try await withClient { client in
            for fields in [Client.resolver, Client.resolver + Client.app, client.user] {
                for _ in 0..<2 { try await client.resolve(Self.closed, fields) }
                try await client.resolve("navigation:/nowhere", fields)
                try await client.resolve("navigation:/characters/character/x", fields)
            }
            #expect(
                try await client.rows() == """
                    {"route":"","failed":4},{"route":"settings","gated":{"onboardingCompleted":4}}
                    """
            )
            #expect(try await client.report() == #""resolved":0,"gated":6,"failed":6"#)
        }
    }

    @Test func `a continuation opens its link once, and passes a gate`() async throws {
        try await withClient { client in
            for fields in [client.user, Client.resolver + Client.app, Client.resolver] {
                try await client.set("none")
                let refusal = try await client.resolve(Self.closed, fields, "&user=ada&arrival=banner")
                #expect(refusal.status == 403)
                try await client.set("signedInUser")
                for _ in 0..<3 { #expect(try await client.redeem(refusal, fields).status == 200) }
            }
            #expect(
                try await client.rows() == """
                    {"route":"settings","opened":2,"openedByUsers":1,"passed":2,"arrived":2,\
                    "gated":{"onboardingCompleted":2}}
                    """
            )
            #expect(try await client.report() == #""resolved":3,"gated":3,"failed":0"#)
        }
    }

    @Test func `pages, previews and redirects count, and heads and unknown links do not`() async throws {
        let service = try TestServer.service(.linkDomain)
        try await TestServer.application(service)
            .whileServing { port in
                let browser = "Accept: text/html\r\n"
                let requests = [
                    "GET /p/5 HTTP/1.1\r\n\(browser)", "GET /p/5 HTTP/1.1\r\n\(browser)",
                    "HEAD /p/5 HTTP/1.1\r\n\(browser)", "GET /p/nope HTTP/1.1\r\n\(browser)",
                    "GET /p/5 HTTP/1.1\r\nAccept: */*\r\nUser-Agent: Twitterbot/1.0\r\n",
                    "GET /c/books HTTP/1.1\r\n\(browser)",
                    "GET /p/6 HTTP/1.1\r\n\(Client.resolver)\(Client.app)",
                ]
                for request in requests {
                    let text = request.replacing("HTTP/1.1\r\n", with: "HTTP/1.1\r\nHost: links.example.com\r\n")
                    let bytes = Array((text + "\r\n").utf8)
                    _ = try await RawConnection(port: port).exchange(bytes, isHead: request.hasPrefix("HEAD"))
                }
                #expect(
                    try await Client(port: port, userToken: "").rows() == """
                        {"route":"category","redirected":1},{"route":"product","opened":1,"page":2,"preview":1}
                        """
                )
            }
    }

    @Test func `counts of a table are the same, with every column`() async throws {
        try await withClient { client in
            try await client.resolve(Self.open, client.user)
            try await client.resolve(Self.closed, client.user)
            let table = try await client.send("GET /v1/counts?by=route,label", Client.admin + "Accept: text/csv\r\n")
            #expect(table.head.contains("Content-Type: text/csv; charset=utf-8; header=present"))
            #expect(
                table.text == """
                    route,label,opened,openedByUsers,passed,arrived,gated,failed,page,preview,redirected\r
                    onboarding,,1,1,0,0,0,0,0,0,0\r
                    settings,,0,0,0,0,1,0,0,0,0\r\n
                    """
            )
            let first = try await client.send("GET /v1/counts?by=route&limit=1", Client.admin + "Accept: text/csv\r\n")
            let link = try #require(first.head.first { $0.hasPrefix("Link: <") })
            let target = "GET /v1/counts" + String(link.dropFirst("Link: <".count).prefix { $0 != ">" })
            let second = try await client.send(target, Client.admin)
            #expect(second.text.contains(#""rows":[{"route":"settings","gated":{"onboardingCompleted":1}}]}"#))
        }
    }

    @Test func `the counts are for monitors, publishers and admins`() async throws {
        try await withClient { client in
            for (token, status) in [
                (TestToken.admin, 200), (.monitor, 200), (.publisher, 200), (.resolver, 403), (.granter, 403),
            ] {
                let fields = "Authorization: Bearer \(token.text)\r\n"
                let response = try await client.send("GET /v1/counts", fields)
                #expect(response.status == status, "\(token)")
            }
            #expect(try await client.send("GET /v1/counts", client.user).status == 403)
            #expect(try await client.send("GET /v1/counts", "").status == 401)
        }
    }
}
