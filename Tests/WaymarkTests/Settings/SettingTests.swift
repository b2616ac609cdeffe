import ArgumentParser
import Foundation
import Testing
import WaymarkTestSupport

@testable import WaymarkCommands
@testable import WaymarkServer

/// Tests that hold flags, environment variables, help texts, the settings file and the page of settings to their table.
@Suite struct SettingTests {
    /// The page that lists the settings: the first of these that is there.
    private static let pages = ["docs/reference/settings.md", "README.md"]

    /// A row of the page's table: flag, environment variable, key, default, what it is.
    private struct Row {
        let cells: [String]

        /// Reads the row of a line; `nil` for a line that is none of five cells.
        init?(_ line: Substring) {
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
                .map { $0.trimmingCharacters(in: .whitespaces) }
            guard line.hasPrefix("|"), cells.count == 5 else { return nil }
            self.cells = cells
        }

        /// The key, without its backticks.
        var key: String { cells[2].trimmingCharacters(in: ["`"]) }
    }

    /// The part of `Config/service.yaml` about one setting.
    private struct Entry {
        let key: String
        let value: String
        let comment: String

        /// Whether the line is a comment, which shows how a setting without a default is written.
        let isExample: Bool
    }

    /// A text whose white space is single spaces.
    private func flowed(_ text: some StringProtocol) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// A value that a setting may have, and that is not its default.
    private func otherValue(of setting: Setting) -> String {
        switch setting.definition.values {
        case .text, .optionalText: "other"
        case .list: "a,b"
        case .pairs: "a=b"
        case .number(let range, _), .optionalNumber(let range, _): String(range.upperBound)
        case .truth, .optionalTruth: "true"
        case .choice(let words): words.first { $0 != setting.definition.defaultValue } ?? ""
        }
    }

    private func entries() throws -> [Entry] {
        let names = Set(Setting.allCases.flatMap { $0.rawValue.split(separator: ".").map(String.init) })
        var entries: [Entry] = []
        var comment: [String] = []
        var sections: [(indent: Int, name: String)] = []
        for line in String(decoding: try Checkout.bytes("Config/service.yaml"), as: UTF8.self).split(separator: "\n") {
            // An example is indented as it is without its mark.
            let isComment = line.drop { $0 == " " }.hasPrefix("#")
            let written = isComment ? String(line).replacing("# ", with: "", maxReplacements: 1) : String(line)
            let indent = written.prefix { $0 == " " }.count
            let text = written.trimmingCharacters(in: [" ", "#"])
            let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, names.contains(parts[0]) else {
                comment.append(text)
                continue
            }
            let value = parts[1].trimmingCharacters(in: .whitespaces)
            sections.removeAll { $0.indent >= indent }
            if value.isEmpty {
                sections.append((indent, parts[0] + "."))
            } else {
                entries.append(
                    Entry(
                        key: sections.map(\.name).joined() + parts[0],
                        value: value,
                        comment: flowed(comment.joined(separator: " ")),
                        isExample: isComment
                    )
                )
            }
            comment = []
        }
        return entries
    }

    @Test(arguments: Setting.allCases)
    func `its flag sets a setting, and no other`(_ setting: Setting) throws {
        guard let flag = setting.flag else { return }
        let value = otherValue(of: setting)
        let isSwitch = if case .truth = setting.definition.values { true } else { false }
        let command = try ServeCommand.parse(isSwitch ? [flag] : [flag, value])
        #expect(command.overrides.merging(command.shared.overrides) { $1 } == [setting: value])
    }

    @Test func `secrets alone have no flag`() {
        #expect(
            Setting.allCases.filter { $0.flag == nil } == [.consoleClientSecret, .continuationKey, .signingSecrets]
        )
    }

    @Test(arguments: Setting.allCases)
    func `the environment, the file and flags set a setting, the latter first`(_ setting: Setting) throws {
        let values = ["from the environment", "from the file", "from a flag"]
        let environment = [setting.variable: values[0]]
        let file = [setting: values[1]]
        func text(_ reader: SettingReader) throws -> String {
            // If it isn't a value of the setting, the message repeats it.
            do throws(CommandError) { return try reader.text(setting) } catch { return error.message ?? "" }
        }
        let byFile = try text(SettingReader(flags: [:], environment: [:], file: file))
        #expect(byFile.contains(values[1]))
        let byEnvironment = try text(SettingReader(flags: [:], environment: environment, file: file))
        #expect(byEnvironment.contains(values[0]))
        let byFlag = try text(SettingReader(flags: [setting: values[2]], environment: environment, file: file))
        #expect(byFlag.contains(values[2]))
    }

    @Test(arguments: Setting.allCases)
    func `a setting takes its default and the bounds of its range, and nothing beyond`(_ setting: Setting) throws {
        let definition = setting.definition
        #expect(try SettingReader(flags: [:], environment: [:], file: [:]).text(setting) == definition.defaultValue)
        guard case .number(let range, _) = definition.values else { return }
        for value in [range.lowerBound, range.upperBound] {
            #expect(
                try SettingReader(flags: [setting: "\(value)"], environment: [:], file: [:]).number(setting) == value
            )
        }
        for value in [range.lowerBound - 1, range.upperBound + 1] {
            #expect {
                try SettingReader(flags: [setting: "\(value)"], environment: [:], file: [:]).number(setting)
            } throws: {
                ($0 as? CommandError)?.message
                    == "\(setting.rawValue) is `\(value)`; set \(definition.values.expectation) by \(setting.waysToSet())."
            }
        }
    }

    @Test(arguments: Setting.allCases)
    func `help shows flag, bounds, variable and default`(_ setting: Setting) {
        let help = flowed(ServeCommand.helpMessage(columns: 100))
        guard let flag = setting.flag else {
            #expect(!help.contains(setting.variable))
            return
        }
        #expect(help.contains("\(flag) "))
        #expect(help.contains(flowed(setting.help)))
    }

    @Test func `the settings file shows every setting once, with what the table says`() throws {
        let entries = try entries()
        #expect(entries.map(\.key).sorted() == Setting.allCases.map(\.rawValue).sorted())
        for entry in entries {
            let setting = try #require(Setting(rawValue: entry.key))
            let definition = setting.definition
            #expect(entry.isExample == definition.defaultValue.isEmpty, "\(entry.key)")
            #expect(entry.isExample || entry.value == definition.defaultValue, "\(entry.key)")
            #expect(entry.comment.hasPrefix(flowed(setting.summary)), "\(entry.key): \(entry.comment)")
            if let bounds = definition.values.bounds { #expect(entry.comment.contains("Values: \(bounds).")) }
            let ways = setting.flag.map { "Flag \($0), environment" } ?? "Environment"
            #expect(entry.comment.hasSuffix("\(ways) \(setting.variable)."), "\(entry.key): \(entry.comment)")
        }
    }

    @Test func `the page of settings has a row for every setting, with what the table says`() throws {
        let page = try #require(Self.pages.first { FileManager.default.fileExists(atPath: Checkout.path($0)) })
        let rows = String(decoding: try Checkout.bytes(page), as: UTF8.self).split(separator: "\n").compactMap(Row.init)
        for setting in Setting.allCases {
            let found = rows.filter { $0.key == setting.rawValue }
            #expect(found.count == 1, "\(page): \(setting.rawValue)")
            guard let row = found.first else { continue }
            let definition = setting.definition
            #expect(row.cells[0] == (setting.flag.map { "`\($0)`" } ?? ""), "\(setting.rawValue)")
            #expect(row.cells[1] == "`\(setting.variable)`", "\(setting.rawValue)")
            #expect(
                definition.defaultValue.isEmpty
                    ? !row.cells[3].contains("`") : row.cells[3] == "`\(definition.defaultValue)`",
                "\(setting.rawValue)"
            )
            guard case .number(let range, _) = definition.values else { continue }
            let words = row.cells[4].split { !$0.isNumber }
            #expect(words.contains("\(range.lowerBound)"), "\(setting.rawValue): \(row.cells[4])")
            #expect(words.contains("\(range.upperBound)"), "\(setting.rawValue): \(row.cells[4])")
        }
    }
}
