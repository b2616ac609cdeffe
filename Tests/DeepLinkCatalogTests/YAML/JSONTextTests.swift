import DeepLinkCatalog
import DeepLinkCore
import Testing

/// Tests of catalogs in JSON with characters that YAML doesn't have.
struct JSONTextTests {
    /// The lines, columns and codes of a catalog's issues.
    private func places(_ json: String) -> [String] { places(Array(json.utf8)) }

    private func places(_ bytes: [UInt8]) -> [String] {
        do throws(CatalogError) {
            _ = try CatalogLoader.load(bytes, file: "t")
            return []
        } catch {
            return error.issues.map { "\($0.location.line):\($0.location.column) \($0.code.rawValue)" }
        }
    }

    @Test(arguments: ["\u{7F}", "\u{85}", "\u{2028}", "\u{2029}", "\u{FEFF}", "\u{FFFE}", "\u{FFFF}", "\u{1F600}"])
    func `an issue behind a character that YAML lacks stands where it does behind a letter`(_ character: String) {
        for json in ["{\"*@?}A", "{\"a\": \"@\", \"a\": 1}", "{\"a@\": [\"@@\",\r\n\"@\", {}, \"b\": 1}", "{\"@"] {
            let plain = places(json.replacing("@", with: "x"))
            #expect(places(json.replacing("@", with: character)) == plain, "\(json)")
            #expect(!plain.isEmpty)
        }
    }

    @Test func `an issue behind two escapes of one character stands behind both`() {
        let json = #"{"version": 1, "a": "\ud83d\ude00", "a": "\ud83d\ude00", "a": 1}"#
        let repeated = places(json).filter { $0.hasSuffix("duplicate-key") }
        #expect(repeated == ["1:37 duplicate-key", "1:58 duplicate-key"])
    }

    @Test(arguments: ["\u{85}", "\u{2028}", "\u{2029}"])
    func `an escaped line break of YAML is an error in JSON, in its own line`(_ character: String) {
        #expect(places("{\"a\": \"x\\\(character)y\"}") == ["1:9 invalid-yaml"])
    }

    @Test(arguments: [[0xC2, 0x0A], [0xC2], [0xE2, 0x80], [0xEF, 0xBB, 0x20]] as [[UInt8]])
    func `a part of a character isn't UTF-8`(_ part: [UInt8]) {
        #expect(places(Array("{\"a\": \"".utf8) + part + Array("\"}".utf8)) == ["1:1 invalid-yaml"])
    }
}
