import DeepLinkCore
import ServerTestSupport
import Testing
import WaymarkTestSupport

@testable import DeepLinkHTTP

/// The uses of short links, which count by label and code.
@Suite struct ShortLinkCountTests {
    /// A client of one server of short links.
    private struct Client {
        let port: Int

        static let app = "Authorization: Bearer \(TestToken.resolver.text)\r\nWaymark-App: ios/3.1.0\r\n"
        static let publisher = "Authorization: Bearer \(TestToken.publisher.text)\r\n"
        static let admin = "Authorization: Bearer \(TestToken.admin.text)\r\n"
        static let browser = "Accept: text/html\r\n"

        /// Sends a request, and returns the response.
        @discardableResult
        func send(
            _ line: String,
            _ fields: String = "",
            host: String = "localhost",
            body: String = "",
            type: String = "application/json"
        ) async throws -> RawResponse {
            var text = "\(line) HTTP/1.1\r\nHost: \(host)\r\n\(fields)"
            if !body.isEmpty { text += "Content-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n" }
            return try await RawConnection(port: port)
                .exchange(Array((text + "\r\n" + body).utf8), isHead: line.hasPrefix("HEAD"))
        }

        /// Makes a link of one's own code.
        func make(_ code: String, _ body: String) async throws {
            let made = try await send("POST /v1/short-links/\(code)", Client.admin, body: body)
            #expect(made.status == 201, "\(made.text)")
        }

        /// Redeems the continuation of a refusal for a user.
        @discardableResult
        func redeem(_ refusal: RawResponse, for user: String) async throws -> RawResponse {
            let token = refusal.text.firstMatch(of: /"continuation":"([^"]+)"/)?.1 ?? ""
            let body = #"{"token":"\#(token)","user":"\#(user)"}"#
            return try await send("POST /v1/continuations", Client.app, body: body)
        }

        /// Returns the rows of counts, without their brackets.
        func rows(by parts: String, _ more: String = "") async throws -> String {
            let text = try await send("GET /v1/counts?by=\(parts)\(more)", Client.publisher).text
            return String(text.firstMatch(of: /"rows":\[(.*)\]/)?.1 ?? Substring(text))
        }
    }

    private func withClient(_ body: @Sendable (Client) async throws -> Void) async throws {
        let service = try TestServer.service(.shortLinks)
        try await TestServer.application(service)
            .whileServing { port in try await body(Client(port: port)) }
    }

    private static let account = #"{"link":"https://shop.example/account","label":"mail"}"#
    private static let product = #"{"link":"https://shop.example/product/5","label":"mail"}"#

    @Test func `preview, gate, redemption and app count once each, by the code as it was made and its label`()
        async throws
    {
        try await withClient { client in
            try await client.make("Sale", Self.account)
            let bot = "User-Agent: Twitterbot/1.0\r\nAccept: */*\r\n"
            try await client.send("GET /sale", bot, host: "go.example")
            try await client.send("GET /sale", Client.app, host: "go.example")
            let refusal = try await client.send(
                "GET /v1/resolve?link=https://go.example/SALE&user=ada&arrival=referrer",
                Client.app
            )
            #expect(refusal.status == 403, "\(refusal.text)")
            let level = #"{"authorizationLevel":"signedInUser"}"#
            try await client.send("POST /v1/users/ada", Client.admin, body: level)
            for _ in 0..<3 { #expect(try await client.redeem(refusal, for: "ada").status == 200) }
            #expect(
                try await client.rows(by: "code") == """
                    {"code":"Sale","opened":1,"passed":1,"arrived":1,"gated":{"signedInUser":2},"preview":1}
                    """
            )
            #expect(
                try await client.rows(by: "route,label") == """
                    {"route":"account","label":"mail","opened":1,"passed":1,"arrived":1,"gated":{"signedInUser":2},"preview":1}
                    """
            )
        }
    }

    @Test func `pages count from the first one on, also those that are answered from memory`() async throws {
        try await withClient { client in
            try await client.make("sale", Self.product)
            let bot = "User-Agent: Twitterbot/1.0\r\nAccept: */*\r\n"
            for _ in 0..<4 { try await client.send("GET /sale", bot, host: "go.example") }
            // The same target under a code without a label, and a label that changes.
            try await client.make("bare", #"{"link":"https://shop.example/product/5"}"#)
            try await client.send("GET /bare", bot, host: "go.example")
            let relabelled = Self.product.replacing("mail", with: "poster")
            try await client.send("POST /v1/short-links/sale", Client.publisher, body: relabelled)
            try await client.send("GET /sale", bot, host: "go.example")
            #expect(try await client.rows(by: "code") == #"{"code":"bare","preview":1},{"code":"sale","preview":5}"#)
            #expect(
                try await client.rows(by: "label") == """
                    {"label":"","preview":1},{"label":"mail","preview":4},{"label":"poster","preview":1}
                    """
            )
        }
    }

    @Test func `a link about a user counts under its label, and under no code`() async throws {
        try await withClient { client in
            try await client.make("adas", #"{"link":"https://shop.example/product/5","label":"friends","about":"ada"}"#)
            for _ in 0..<2 { try await client.send("GET /v1/resolve?link=https://go.example/adas", Client.app) }
            #expect(try await client.rows(by: "code") == "")
            #expect(try await client.rows(by: "label") == #"{"label":"friends","opened":2}"#)
        }
    }

    @Test func `a withdrawn code goes on counting as failed, and one that nobody made has no count`() async throws {
        try await withClient { client in
            try await client.make("sale", Self.product)
            #expect(try await client.send("DELETE /v1/short-links/sale", Client.publisher).status == 204)
            for code in ["sale", "sale", "nobodys"] {
                let answer = try await client.send("GET /v1/resolve?link=https://go.example/\(code)", Client.app)
                #expect(answer.status == 404)
            }
            // Browsers are sent to the site, which opens nothing.
            #expect(try await client.send("GET /sale", Client.browser, host: "go.example").status == 302)
            #expect(try await client.rows(by: "code") == #"{"code":"sale","failed":2}"#)
            #expect(try await client.rows(by: "label") == #"{"label":"","failed":1},{"label":"mail","failed":2}"#)
        }
    }

    @Test func `nothing counts that only tries a code out`() async throws {
        try await withClient { client in
            try await client.make("sale", Self.product)
            let link = "https://go.example/sale"
            for more in ["&explain=true", "&level=none", "&level=signedInUser"] {
                try await client.send("GET /v1/resolve?link=\(link)\(more)", Client.app)
            }
            try await client.send("HEAD /v1/resolve?link=\(link)", Client.app)
            try await client.send("HEAD /sale", Client.browser, host: "go.example")
            try await client.send("HEAD /sale", Client.app, host: "go.example")
            let lines = String(repeating: #"{"link":"\#(link)"}"# + "\n", count: 3)
            try await client.send("POST /v1/resolve/batch", Client.app, body: lines, type: "application/x-ndjson")
            try await client.send(
                "GET /v1/resolve?link=\(link)",
                "Authorization: Bearer \(TestToken.resolver.text)\r\n"
            )
            for path in ["/v1/short-links/sale", "/v1/short-links", "/v1/short-links/sale/history"] {
                try await client.send("GET \(path)", Client.publisher)
            }
            #expect(try await client.rows(by: "code") == "")
            #expect(try await client.rows(by: "day") == "")
        }
    }

    @Test func `no label is a formula in a table, and JSON has each as it is`() async throws {
        try await withClient { client in
            let table = [
                "=1+1": "'=1+1", "+1": "'+1", "-1": "'-1", "@SUM(A1),2": "\"'@SUM(A1),2\"", "'=1": "''=1",
                "'-'": "''-'", "it's": "it's", "'": "'", "a=1": "a=1",
            ]
            for (number, label) in table.keys.enumerated() {
                try await client.make(
                    "code\(number)",
                    #"{"link":"https://shop.example/product/5","label":"\#(label)"}"#
                )
                try await client.send("GET /v1/resolve?link=https://go.example/code\(number)", Client.app)
            }
            let fields = Client.publisher + "Accept: text/csv\r\n"
            let text = try await client.send("GET /v1/counts?by=label", fields).text
            let cells = text.split(separator: "\r\n").dropFirst()
                .map { String($0).replacing(/,1,0,0,0,0,0,0,0,0$/, with: "") }
            #expect(Set(cells) == Set(table.values))
            let rows = try await client.rows(by: "label")
            for label in table.keys { #expect(rows.contains(#"{"label":"\#(label)","opened":1}"#), "\(label)") }
        }
    }

    @Test func `a page of a list asks for the counts of its own codes`() async throws {
        try await withClient { client in
            for code in ["one", "two", "three"] {
                try await client.make(code, Self.product)
                try await client.send("GET /v1/resolve?link=https://go.example/\(code)", Client.app)
            }
            #expect(
                try await client.rows(by: "code", "&code=two,nobodys,one") == """
                    {"code":"one","opened":1},{"code":"two","opened":1}
                    """
            )
            let many = (0...100).map { "c\($0)c" }.joined(separator: ",")
            for query in ["by=day&code=one", "by=code&code=", "by=code&code=a%20b", "by=code&code=\(many)"] {
                let refused = try await client.send("GET /v1/counts?\(query)", Client.publisher)
                #expect(refused.status == 400 && refused.text.contains(#""field":"code""#), "\(query): \(refused.text)")
            }
        }
    }
}
