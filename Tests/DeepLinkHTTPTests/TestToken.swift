import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkHTTP
import DeepLinkStorage

/// The service tokens of tests, which open nothing elsewhere.
enum TestToken: String, CaseIterable {
    case admin, resolver, monitor, granter, publisher, expired, revoked

    /// The token as its holder sends it.
    var text: String {
        switch self {
        case .admin: "wm_2157k31dz93f_h3rQegsF3A9I9sFylCgWSIs1PRvghDkC9CLcBX4Ra9m15aftH"
        case .resolver: "wm_o6l91m0txllk_w4zBPuNEASlUqDEKadbSjUY0f6putcy2dgsMmbBq4AV0sklIA"
        case .monitor: "wm_yd13q3b8rzfq_254SXs4vllhi0fP9gvOLs4GSsOc63hK5wu3zx0TpDQl11eDve"
        case .granter: "wm_gr4nt3rt0k3n_KKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKK1CGdTd"
        case .publisher: "wm_publ1sh3rt0k_PPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPP36CPvJ"
        case .expired: "wm_0hjkq682x6ae_tqSE6jlpWgznvYsEYlQwRAiY8pUItpfXQ8ftaK4vC2f4bXMEo"
        case .revoked: "wm_0p9p034okdxc_2SBTbDWi2CLZI2VofxUi9DwY9U9YVpmj5FKRnbUIxgs1ubPj5"
        }
    }

    /// The token as a store keeps it.
    var stored: ServiceToken {
        let text = ServiceTokenText(text)
        return ServiceToken(
            id: text?.id ?? ServiceTokenID(),
            digest: text.map { Array($0.digest) } ?? [],
            role: Role(bytewise: rawValue) ?? .resolver,
            grants: self == .granter ? ["pro"].compactMap(GrantName.init) : [],
            created: Timestamp(millisecondsSinceEpoch: 0),
            expires: self == .expired ? Timestamp(millisecondsSinceEpoch: 1) : nil,
            revoked: self == .revoked ? Timestamp(millisecondsSinceEpoch: 1) : nil
        )
    }
}
