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
        .library(name: "WaymarkEngine", targets: ["WaymarkEngine"]),
        .library(name: "WaymarkRuntime", targets: ["WaymarkRuntime"]),
    ],
    // Exact, since the lock file is not committed: what was built and tested is what is built.
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-async-algorithms", exact: "1.1.4"),
        .package(url: "https://github.com/apple/swift-configuration", exact: "1.4.0", traits: ["YAML"]),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", exact: "2.13.0"),
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
                "DeepLinkAssociation", "DeepLinkAuthentication", "DeepLinkCatalog", "DeepLinkClientCode",
                "DeepLinkComparison", "DeepLinkCore", "DeepLinkFormats", "DeepLinkHTTP", "DeepLinkMetrics",
                "DeepLinkPostgres", "DeepLinkReporting", "DeepLinkStore", "DeepLinkStoring", "WaymarkEngine",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
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
                "ConsolePage", "DeepLinkAssociation", "DeepLinkAuthentication", "DeepLinkComparison", "DeepLinkCore",
                "DeepLinkFormats", "DeepLinkMetrics", "DeepLinkPages", "DeepLinkReporting", "OpenAPIDocument",
                .product(name: "CoreMetrics", package: "swift-metrics"),
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
        // Debian's library for QR codes.
        .systemLibrary(name: "CQRCodeGen", providers: [.apt(["libqrcodegen-dev"])]),
        // What browsers get. The library is linked into the binary: no image needs its package.
        .target(
            name: "DeepLinkPages",
            dependencies: ["CQRCodeGen", "DeepLinkCore", "DeepLinkFormats"],
            swiftSettings: settings,
            linkerSettings: [.unsafeFlags(["-l:libqrcodegen.a"], .when(platforms: [.linux]))]
        ),
        // What tells phones which links an app opens, and the matchers of both platforms.
        .target(
            name: "DeepLinkAssociation",
            dependencies: ["DeepLinkCore", "DeepLinkFormats"],
            swiftSettings: settings
        ),
        // What every store shares, and no database is known to.
        .target(
            name: "DeepLinkStoring",
            dependencies: [
                "DeepLinkCore", "DeepLinkMetrics",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings
        ),
        // The backend of swift-metrics, and the names of what is counted.
        .target(
            name: "DeepLinkMetrics",
            dependencies: [.product(name: "CoreMetrics", package: "swift-metrics")],
            swiftSettings: settings
        ),
        .target(
            name: "DeepLinkStore",
            dependencies: [
                "DeepLinkCore", "DeepLinkMetrics", "DeepLinkStoring",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "GRDB", package: "GRDB.swift"), .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings
        ),
        .systemLibrary(
            name: "CPostgreSQL",
            pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])]
        ),
        .target(
            name: "DeepLinkPostgres",
            dependencies: [
                "CPostgreSQL", "DeepLinkCore", "DeepLinkStoring", .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "DeepLinkCatalog",
            dependencies: [
                "DeepLinkAssociation", "DeepLinkCore",
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
        .target(name: "ConsolePage", exclude: ["page"], cSettings: [.treatAllWarnings(as: .error)]),
        // The types of a catalog's routes, for apps; the runtimes that go with them are source text.
        .target(name: "DeepLinkClientCode", dependencies: ["ClientRuntimes", "DeepLinkCore"], swiftSettings: settings),
        .target(
            name: "ClientRuntimes",
            exclude: ["Kotlin", "TypeScript"],
            cSettings: [.treatAllWarnings(as: .error)]
        ),
        .target(name: "WaymarkRuntime", swiftSettings: settings),
        // The engine inside an app, by a catalog that is signed.
        .target(
            name: "WaymarkEngine",
            dependencies: [
                "DeepLinkCatalog", "DeepLinkCore", "DeepLinkFormats",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: settings
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
                "DeepLinkAssociation", "DeepLinkCatalog", "DeepLinkCore", "DeepLinkFormats", "WaymarkTestSupport",
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
            name: "DeepLinkAssociationTests",
            dependencies: ["DeepLinkAssociation", "DeepLinkFormats", "WaymarkTestSupport"],
            exclude: ["Cases"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "DeepLinkPagesTests",
            dependencies: ["DeepLinkCatalog", "DeepLinkCore", "DeepLinkPages", "WaymarkTestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "DeepLinkComparisonTests",
            dependencies: ["DeepLinkAssociation", "DeepLinkCatalog", "DeepLinkComparison", "DeepLinkCore"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "DeepLinkReportingTests",
            dependencies: ["DeepLinkCatalog", "DeepLinkComparison", "DeepLinkCore", "DeepLinkReporting"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "DeepLinkClientCodeTests",
            dependencies: [
                "DeepLinkCatalog", "DeepLinkClientCode", "DeepLinkCore", "WaymarkRuntime", "WaymarkTestSupport",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "WaymarkEngineTests",
            dependencies: [
                "DeepLinkCatalog", "DeepLinkCore", "DeepLinkFormats", "WaymarkEngine", "WaymarkTestSupport",
            ],
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
                "ConsolePage", "DeepLinkAuthentication", "DeepLinkCatalog", "DeepLinkCore", "DeepLinkFormats",
                "DeepLinkHTTP", "DeepLinkMetrics", "DeepLinkReporting", "DeepLinkStore", "ServerTestSupport",
                "WaymarkTestSupport",
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
            name: "DeepLinkMetricsTests",
            dependencies: ["DeepLinkMetrics", .product(name: "CoreMetrics", package: "swift-metrics")],
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
                "DeepLinkCore", "DeepLinkPostgres", "DeepLinkStore", "DeepLinkStoring", "WaymarkTestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "WaymarkTests",
            dependencies: [
                "DeepLinkCatalog", "DeepLinkCore", "DeepLinkMetrics", "DeepLinkReporting", "WaymarkCommands",
                "WaymarkEngine", "WaymarkTestSupport", "waymark",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings
        ),
    ],
    cLanguageStandard: .c2x
)

// An image has no need of the tests, nor of the package that they alone use; without them their changes leave it as it is.
if Context.environment["PACKAGE_WITHOUT_TESTS"] != nil {
    package.targets.removeAll { $0.path?.hasPrefix("Tests/") == true || $0.type == .test }
    package.dependencies.removeAll { dependency in
        if case .sourceControl(_, let location, _) = dependency.kind { location.hasSuffix("/jwt-kit") } else { false }
    }
}
