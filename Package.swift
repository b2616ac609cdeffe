// swift-tools-version:6.3
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// Links the Swift libraries into the release binary, with only the parts that it uses.
///
/// Calls between them cost less then, and fewer pages are in memory (decision record 9). lld packs relocations; the
/// libraries are those of Foundation, which the compiler names only where it links all of them dynamically.
let staticLinking = [
    "-static-stdlib", "-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs", "-Xlinker",
    "--no-export-dynamic", "-lCoreFoundation", "-l_FoundationICU", "-l_FoundationCShims", "-l_FoundationCollections",
]

let package = Package(
    name: "waymark",
    products: [
        .executable(name: "waymark", targets: ["waymark"]),
        .library(name: "DeepLinkCore", targets: ["DeepLinkCore"]),
        .library(name: "DeepLinkAuthentication", targets: ["DeepLinkAuthentication"]),
        .library(name: "DeepLinkCatalog", targets: ["DeepLinkCatalog"]),
        .library(name: "DeepLinkFormats", targets: ["DeepLinkFormats"]),
        .library(name: "DeepLinkHTTP", targets: ["DeepLinkHTTP"]),
    ],
    // Exact, since the lock file is not committed: what was built and tested is what is built.
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-async-algorithms", exact: "1.1.4"),
        .package(url: "https://github.com/apple/swift-configuration", exact: "1.4.0", traits: ["YAML"]),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
        .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: []),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
        .package(url: "https://github.com/vapor/jwt-kit", exact: "5.7.1"),
    ],
    targets: [
        .executableTarget(
            name: "waymark",
            dependencies: ["WaymarkCommands"],
            swiftSettings: settings,
            linkerSettings: [.unsafeFlags(staticLinking, .when(platforms: [.linux], configuration: .release))]
        ),
        .target(
            name: "WaymarkCommands",
            dependencies: [
                "DeepLinkAuthentication", "DeepLinkCatalog", "DeepLinkComparison", "DeepLinkCore", "DeepLinkFormats",
                "DeepLinkHTTP", "DeepLinkReporting", "DeepLinkStore", "DeepLinkStoring",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "SystemPackage", package: "swift-system"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "DeepLinkHTTP",
            dependencies: [
                "DeepLinkAuthentication", "DeepLinkComparison", "DeepLinkCore", "DeepLinkFormats", "DeepLinkReporting",
                "OpenAPIDocument",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOExtras", package: "swift-nio-extras"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "DeepLinkAuthentication",
            dependencies: [
                "DeepLinkCore", "DeepLinkFormats",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: settings
        ),
        // Two catalogs, and who is harmed by the way from one to the other.
        .target(
            name: "DeepLinkComparison",
            dependencies: ["DeepLinkCore", "DeepLinkFormats"],
            swiftSettings: settings
        ),
        // What was asked, in counts and in lines that replay.
        .target(
            name: "DeepLinkReporting",
            dependencies: ["DeepLinkComparison", "DeepLinkCore", "DeepLinkFormats"],
            swiftSettings: settings
        ),
        .target(
            name: "DeepLinkFormats",
            dependencies: ["DeepLinkCore", .product(name: "HTTPTypes", package: "swift-http-types")],
            swiftSettings: settings
        ),
        // What every store shares, and no database is known to.
        .target(
            name: "DeepLinkStoring",
            dependencies: ["DeepLinkCore", .product(name: "Logging", package: "swift-log")],
            swiftSettings: settings
        ),
        .target(
            name: "DeepLinkStore",
            dependencies: [
                "DeepLinkCore", "DeepLinkStoring", .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "GRDB", package: "GRDB.swift"), .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "DeepLinkCatalog",
            dependencies: [
                "DeepLinkCore",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Yams", package: "Yams"),
            ],
            swiftSettings: settings
        ),
        // Rounding a number calls the C library's mathematics, which only Foundation would link as well.
        .target(
            name: "DeepLinkCore",
            swiftSettings: settings,
            linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]
        ),
        .target(name: "OpenAPIDocument", exclude: ["openapi.json"], cSettings: [.treatAllWarnings(as: .error)]),
        .target(
            name: "WaymarkTestSupport",
            dependencies: ["DeepLinkCatalog", "DeepLinkCore", .product(name: "Yams", package: "Yams")],
            path: "Tests/Support",
            swiftSettings: settings
        ),
        .target(
            name: "ServerTestSupport",
            dependencies: [
                "DeepLinkCore", "DeepLinkFormats",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "JWTKit", package: "jwt-kit"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            path: "Tests/ServerSupport",
            swiftSettings: settings
        ),
        .testTarget(
            name: "DeepLinkCoreTests",
            dependencies: [
                "DeepLinkCatalog", "DeepLinkCore", "DeepLinkFormats", "WaymarkTestSupport",
            ],
            exclude: ["Cases", "Vectors"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "DeepLinkCatalogTests",
            dependencies: [
                "DeepLinkCatalog", "DeepLinkCore", "DeepLinkFormats", "WaymarkTestSupport",
                .product(name: "Yams", package: "Yams"),
            ],
            exclude: ["Cases", "TenMistakes.yaml"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "DeepLinkComparisonTests",
            dependencies: ["DeepLinkCatalog", "DeepLinkComparison", "DeepLinkCore"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "DeepLinkReportingTests",
            dependencies: ["DeepLinkCatalog", "DeepLinkComparison", "DeepLinkCore", "DeepLinkReporting"],
            swiftSettings: settings
        ),
        .testTarget(name: "DeepLinkFormatsTests", dependencies: ["DeepLinkFormats"], swiftSettings: settings),
        .testTarget(
            name: "DeepLinkAuthenticationTests",
            dependencies: [
                "DeepLinkAuthentication", "DeepLinkCore", "DeepLinkFormats", "ServerTestSupport", "WaymarkTestSupport",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "JWTKit", package: "jwt-kit"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "DeepLinkHTTPTests",
            dependencies: [
                "DeepLinkAuthentication", "DeepLinkCatalog", "DeepLinkCore", "DeepLinkFormats", "DeepLinkHTTP",
                "DeepLinkReporting", "DeepLinkStore", "ServerTestSupport", "WaymarkTestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            exclude: ["Exchanges"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "DeepLinkStoringTests",
            dependencies: ["DeepLinkCore", "DeepLinkStoring", "WaymarkTestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "DeepLinkStoreTests",
            dependencies: [
                "DeepLinkCore", "DeepLinkStore", "DeepLinkStoring", "WaymarkTestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "WaymarkTests",
            dependencies: [
                "waymark", "DeepLinkCore", "DeepLinkReporting", "WaymarkCommands", "WaymarkTestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings
        ),
    ],
    cLanguageStandard: .c2x
)
