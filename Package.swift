// swift-tools-version:6.3
import PackageDescription

/// An image needs neither the tests nor the package that they alone use; without them their changes leave it as it is.
let hasTests = Context.environment["PACKAGE_WITHOUT_TESTS"] == nil

/// The products that the engine needs, by their packages.
let engineProducts = ["Yams": ["Yams"], "swift-crypto": ["Crypto", "CryptoExtras"], "swift-http-types": ["HTTPTypes"]]

/// The products that only the server needs: apps resolve none of these packages (decision record 32).
let serverProducts = [
    "GRDB.swift": ["GRDB", "GRDBSQLite"],
    "hummingbird": ["Hummingbird", "HummingbirdCore", "HummingbirdTesting"], "jwt-kit": ["JWTKit"],
    "swift-argument-parser": ["ArgumentParser"], "swift-async-algorithms": ["AsyncAlgorithms"],
    "swift-configuration": ["Configuration"], "swift-log": ["Logging"], "swift-metrics": ["CoreMetrics"],
    "swift-nio": ["NIOCore", "NIOEmbedded", "NIOHTTP1", "NIOPosix", "NIOTLS"],
    "swift-nio-extras": ["NIOExtras", "NIOHTTPTypes", "NIOHTTPTypesHTTP1"], "swift-nio-ssl": ["NIOSSL"],
    "swift-service-lifecycle": ["ServiceLifecycle", "UnixSignals"], "swift-system": ["SystemPackage"],
]

/// Links the used parts of the Swift libraries into the release binary: calls and memory cost less (decision record 9).
///
/// lld packs relocations. The loader binds every symbol at the start, so that their addresses are read-only from then on.
/// The libraries are Foundation's, which the compiler names only where it links them dynamically.
let staticLinking = [
    "-static-stdlib", "-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs", "-Xlinker", "-z", "-Xlinker",
    "now", "-Xlinker", "--no-export-dynamic", "-lCoreFoundation", "-l_FoundationICU", "-l_FoundationCShims",
    "-l_FoundationCollections", "-lswiftSynchronization",
]

/// The targets that every store imports.
let storage = ["DeepLinkCore", "DeepLinkStorage"]

/// The targets and products that each target may import.
let targetDependencies: KeyValuePairs = [
    "waymark": ["WaymarkServer"],
    "WaymarkServer": storage + [
        "DeepLinkAuthentication", "DeepLinkCatalog", "DeepLinkComparison", "DeepLinkFormats", "DeepLinkHTTP",
        "DeepLinkReporting", "HTTPServer", "WaymarkCommands", "WaymarkOffline", "ArgumentParser", "AsyncAlgorithms",
        "CoreMetrics", "Logging", "NIOCore", "ServiceLifecycle", "UnixSignals",
    ],
    "WaymarkCommands": storage + [
        "DeepLinkAuthentication", "DeepLinkCatalog", "DeepLinkClientCode", "DeepLinkComparison", "DeepLinkFormats",
        "DeepLinkImport", "DeepLinkPostgres", "DeepLinkReporting", "DeepLinkSQLite", "DeepLinkWeb", "WaymarkOffline",
        "ArgumentParser", "Configuration", "Logging", "NIOCore", "NIOHTTP1", "NIOPosix", "NIOSSL", "ServiceLifecycle",
        "SystemPackage", "UnixSignals",
    ],
    "DeepLinkHTTP": [
        "DeepLinkAuthentication", "DeepLinkComparison", "DeepLinkCore", "DeepLinkFormats", "DeepLinkReporting",
        "DeepLinkStorage", "DeepLinkWeb", "EmbeddedFiles", "HTTPServer", "CoreMetrics", "Crypto", "HTTPTypes",
        "HummingbirdCore", "Logging", "NIOCore", "NIOPosix",
    ],
    "HTTPServer": [
        "HTTPTypes", "HummingbirdCore", "Logging", "NIOCore", "NIOExtras", "NIOHTTP1", "NIOHTTPTypes",
        "NIOHTTPTypesHTTP1", "NIOPosix", "NIOSSL", "NIOTLS", "ServiceLifecycle",
    ],
    "DeepLinkAuthentication": [
        "DeepLinkCore", "DeepLinkFormats", "DeepLinkStorage", "Crypto", "CryptoExtras", "HTTPTypes", "Logging",
        "NIOCore", "NIOHTTP1", "NIOPosix", "NIOSSL", "ServiceLifecycle", "SystemPackage",
    ],
    "DeepLinkReporting": ["DeepLinkCore", "DeepLinkFormats", "DeepLinkStorage"],
    "DeepLinkComparison": ["DeepLinkClientCode", "DeepLinkCore", "DeepLinkFormats"],
    "DeepLinkWeb": ["CQRCodeGen", "DeepLinkCore", "DeepLinkFormats"],
    "DeepLinkFormats": ["DeepLinkCore"],
    "DeepLinkClientCode": ["DeepLinkCore", "EmbeddedFiles"],
    "DeepLinkImport": ["DeepLinkCore", "DeepLinkFormats"],
    "DeepLinkSQLite": storage + ["Crypto", "GRDB", "GRDBSQLite", "Logging"],
    "DeepLinkPostgres": storage + ["CPostgreSQL", "Crypto", "Logging"],
    "DeepLinkStorage": ["DeepLinkCore", "DeepLinkFormats", "CoreMetrics", "Logging"],
    "DeepLinkCatalog": ["DeepLinkCore", "DeepLinkFormats", "Crypto", "Yams"],
    "DeepLinkCore": [],
    "WaymarkOffline": ["DeepLinkCatalog", "DeepLinkCore", "DeepLinkFormats", "Crypto"],
    "WaymarkRuntime": [],
    "WaymarkEngine": ["DeepLinkCatalog", "DeepLinkCore", "DeepLinkFormats"],
    "WaymarkTestSupport": storage + ["DeepLinkCatalog", "Logging", "Yams"],
    "ServerTestSupport": [
        "DeepLinkCore", "DeepLinkFormats", "Crypto", "CryptoExtras", "HTTPTypes", "Hummingbird", "JWTKit", "Logging",
        "NIOCore", "ServiceLifecycle",
    ],
    "DeepLinkCoreTests": ["DeepLinkCatalog", "DeepLinkCore", "DeepLinkFormats", "WaymarkTestSupport", "Yams"],
    "DeepLinkCatalogTests": [
        "DeepLinkCatalog", "DeepLinkCore", "DeepLinkFormats", "DeepLinkWeb", "WaymarkTestSupport", "Yams",
    ],
    "DeepLinkWebTests": [
        "DeepLinkAuthentication", "DeepLinkCatalog", "DeepLinkCore", "DeepLinkFormats", "DeepLinkWeb",
        "WaymarkTestSupport",
    ],
    "DeepLinkComparisonTests": [
        "DeepLinkCatalog", "DeepLinkComparison", "DeepLinkCore", "DeepLinkFormats", "DeepLinkStorage", "DeepLinkWeb",
        "WaymarkTestSupport",
    ],
    "DeepLinkReportingTests": [
        "DeepLinkCatalog", "DeepLinkCore", "DeepLinkFormats", "DeepLinkReporting", "WaymarkTestSupport",
    ],
    "DeepLinkClientCodeTests": [
        "DeepLinkCatalog", "DeepLinkClientCode", "DeepLinkComparison", "DeepLinkCore", "DeepLinkFormats", "DeepLinkWeb",
        "WaymarkRuntime", "WaymarkTestSupport",
    ],
    "DeepLinkImportTests": [
        "DeepLinkCatalog", "DeepLinkCore", "DeepLinkFormats", "DeepLinkImport", "WaymarkTestSupport",
    ],
    "WaymarkOfflineTests": [
        "DeepLinkCatalog", "DeepLinkCore", "DeepLinkFormats", "WaymarkOffline", "WaymarkTestSupport",
    ],
    "DeepLinkFormatsTests": ["DeepLinkCore", "DeepLinkFormats", "DeepLinkStorage", "WaymarkTestSupport"],
    "DeepLinkAuthenticationTests": [
        "DeepLinkAuthentication", "DeepLinkCore", "DeepLinkFormats", "DeepLinkStorage", "ServerTestSupport",
        "WaymarkTestSupport", "Crypto", "HTTPTypes", "Hummingbird", "JWTKit", "Logging", "NIOCore", "NIOHTTP1",
        "NIOPosix", "NIOSSL", "ServiceLifecycle",
    ],
    "DeepLinkHTTPTests": storage + [
        "DeepLinkAuthentication", "DeepLinkCatalog", "DeepLinkFormats", "DeepLinkHTTP", "DeepLinkReporting",
        "DeepLinkSQLite", "EmbeddedFiles", "HTTPServer", "ServerTestSupport", "WaymarkCommands", "WaymarkServer",
        "WaymarkTestSupport", "HTTPTypes", "Hummingbird", "HummingbirdCore", "HummingbirdTesting", "Logging", "NIOCore",
        "NIOEmbedded", "NIOHTTP1", "NIOPosix",
    ],
    "HTTPServerTests": ["HTTPServer", "WaymarkTestSupport"],
    "DeepLinkStorageTests": storage + ["DeepLinkPostgres", "DeepLinkSQLite", "WaymarkTestSupport", "GRDB", "Logging"],
    "WaymarkTests": storage + [
        "DeepLinkAuthentication", "DeepLinkCatalog", "DeepLinkFormats", "DeepLinkHTTP", "DeepLinkReporting",
        "DeepLinkSQLite", "HTTPServer", "waymark", "WaymarkCommands", "WaymarkOffline", "WaymarkServer",
        "WaymarkTestSupport", "ArgumentParser", "CoreMetrics", "GRDB", "Logging", "NIOCore",
    ],
    "Benchmarks": ["DeepLinkCatalog", "DeepLinkCore", "DeepLinkFormats", "ThreadCounters"],
    "Fuzz": [
        "DeepLinkAuthentication", "DeepLinkCatalog", "DeepLinkCore", "DeepLinkFormats", "DeepLinkHTTP",
        "DeepLinkStorage", "DeepLinkWeb", "HTTPServer", "Crypto", "HTTPTypes",
    ],
]

/// The programs; the fuzzer is one only with libFuzzer's `main`, and compiles with the tests all the same.
let programs = ["waymark", "Benchmarks"] + (Context.environment["PACKAGE_WITH_FUZZER"] == nil ? [] : ["Fuzz"])

/// The folders of `Sources`, each with its targets: the heart, and the rooms around it.
let rooms = [
    "Engine": ["DeepLinkCore", "DeepLinkCatalog", "DeepLinkFormats", "WaymarkEngine"],
    "Apps": ["WaymarkOffline", "WaymarkRuntime", "EmbeddedFiles"],
    "Stores": ["DeepLinkStorage", "DeepLinkSQLite", "DeepLinkPostgres", "CPostgreSQL"],
    "Service": [
        "HTTPServer", "DeepLinkHTTP", "DeepLinkAuthentication", "DeepLinkWeb", "DeepLinkReporting", "CQRCodeGen",
    ],
    "Tools": ["DeepLinkComparison", "DeepLinkClientCode", "DeepLinkImport"],
    "Program": ["WaymarkCommands", "WaymarkServer", "waymark"],
]

/// The folders of targets that are not in `Tests` under their names.
let paths = rooms.reduce(
    into: [
        "Benchmarks": "Tests/Benchmarks/Sources", "Fuzz": "Tests/Fuzz/Sources",
        "ServerTestSupport": "Tests/ServerSupport", "WaymarkTestSupport": "Tests/Support",
    ]
) { paths, room in
    for name in room.value { paths[name] = "Sources/\(room.key)/\(name)" }
}

/// Files that targets have and this package does not compile: data of tests, and the C of another platform.
let excluded = [
    "WaymarkEngine": ["Runtime"],
    "DeepLinkCatalogTests": ["Cases", "TenMistakes.yaml"], "DeepLinkCoreTests": ["Cases", "Vectors"],
    "DeepLinkHTTPTests": ["Exchanges"], "DeepLinkWebTests": ["Association/Cases"],
]

let linkerSettings: [String: [LinkerSetting]] = [
    // Rounding a number calls the C library's mathematics, which only Foundation would link as well.
    "DeepLinkCore": [.linkedLibrary("m", .when(platforms: [.linux]))],
    // The library for QR codes is in the binary: no image needs its package.
    "DeepLinkWeb": [.unsafeFlags(["-l:libqrcodegen.a"], .when(platforms: [.linux]))],
    "Benchmarks": [.unsafeFlags(staticLinking, .when(platforms: [.linux], configuration: .release))],
    "waymark": [.unsafeFlags(staticLinking, .when(platforms: [.linux], configuration: .release))],
]

let package = Package(
    name: "waymark",
    platforms: [.iOS(.v18), .macOS(.v15), .tvOS(.v18), .visionOS(.v2), .watchOS(.v11)],
    products: [
        .executable(name: "waymark", targets: ["waymark"]),
        // For apps: the engine with its types, and the runtime of generated code.
        .library(name: "WaymarkOffline", targets: ["WaymarkOffline", "DeepLinkCore"]),
        .library(name: "WaymarkRuntime", targets: ["WaymarkRuntime"]),
    ],
    traits: [
        .trait(name: "Server", description: "The server and its commands. An app leaves it out by `traits: []`."),
        .default(enabledTraits: ["Server"]),
    ],
    // The packages of the engine have ranges, since apps take them as well. The packages of the server are exact, and a
    // build takes the versions of scripts/packages.txt.
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-async-algorithms", exact: "1.1.4"),
        .package(url: "https://github.com/apple/swift-configuration", exact: "1.4.0", traits: ["YAML"]),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", exact: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
        .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: []),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
    ] + (hasTests ? [.package(url: "https://github.com/vapor/jwt-kit", exact: "5.7.1")] : []),
    targets: [
        .systemLibrary(
            name: "CPostgreSQL",
            path: paths["CPostgreSQL"],
            pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])]
        ),
        .systemLibrary(name: "CQRCodeGen", path: paths["CQRCodeGen"], providers: [.apt(["libqrcodegen-dev"])]),
        .target(name: "ThreadCounters", path: "Tests/Benchmarks/Counters", cSettings: [.treatAllWarnings(as: .error)]),
        .target(
            name: "EmbeddedFiles",
            path: paths["EmbeddedFiles"],
            exclude: ["Console", "Kotlin", "TypeScript", "openapi.json"],
            cSettings: [.treatAllWarnings(as: .error)]
        ),
    ],
    cLanguageStandard: .c2x
)

for (name, imports) in targetDependencies {
    let dependencies = imports.map { name -> Target.Dependency in
        if let (package, _) = engineProducts.first(where: { $1.contains(name) }) {
            return .product(name: name, package: package)
        }
        if let (package, _) = serverProducts.first(where: { $1.contains(name) }) {
            return .product(name: name, package: package, condition: .when(traits: ["Server"]))
        }
        return .target(name: name)
    }
    let target: Target =
        name.hasSuffix("Tests")
        ? .testTarget(name: name, dependencies: dependencies, exclude: excluded[name] ?? [])
        : programs.contains(name)
            ? .executableTarget(name: name, dependencies: dependencies, path: paths[name])
            : .target(name: name, dependencies: dependencies, path: paths[name], exclude: excluded[name] ?? [])
    target.linkerSettings = linkerSettings[name]
    target.swiftSettings = [
        .swiftLanguageMode(.v6), .treatAllWarnings(as: .error),
        .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"), .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]
    package.targets.append(target)
}
// The debug build, in which all tests run, checks each access of these classes (decision record 38).
for target in package.targets where ["DeepLinkHTTP", "HTTPServer"].contains(target.name) {
    target.swiftSettings?.append(.unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release)))
}

package.targets.removeAll { !hasTests && ($0.path?.hasPrefix("Tests/") == true || $0.type == .test) }
