// Waymark's runtime: deferred deep links. It has no dependencies.

/** The result of a search for a link that led to the installation of the app. */
export type ArrivalFinding =
    /** The link, to be resolved like any other. */
    | { readonly kind: "link"; readonly link: string }
    /**
     * None: the installation has another cause. Not readable: it was cut off, or changed on its way. Not the app's. Too
     * old, or younger than the installation.
     */
    | { readonly kind: "absent" | "malformed" | "foreign" | "expired" };

/** The reader of deferred deep links. It sends no request and stores nothing. */
export class ArrivalReader {
    private readonly hosts: readonly string[];

    /**
     * Creates a reader for the links of the hosts of the catalog's https origins, of which `*.` in front stands for any
     * label. `maximumAge` is the longest time between the click and the reading, in seconds.
     */
    constructor(hosts: readonly string[], private readonly maximumAge = 7 * 86_400) {
        this.hosts = hosts.map((host) => host.toLowerCase());
    }

    /**
     * Returns the link in the referrer of Google Play: `clickedAt` is its `referrerClickTimestampSeconds`, `installedAt`
     * its `installBeginTimestampSeconds`, 0 if unknown, and `now` the present in seconds since 1970.
     */
    findInReferrer(referrer: string, clickedAt: number, installedAt: number, now: number): ArrivalFinding {
        const value = waymarkValue(referrer);
        if (value === undefined) return { kind: "absent" };
        const finding = this.findingOf(value);
        if (finding.kind !== "link") return finding;
        if (clickedAt > 0 && installedAt > 0 && clickedAt > installedAt) return { kind: "expired" };
        const since = clickedAt > 0 ? clickedAt : installedAt;
        return since > 0 && now - since > this.maximumAge ? { kind: "expired" } : finding;
    }

    /** Returns the link in a text that a person pasted: the first word of it that is one of the app's links. */
    findInPasted(text: string): ArrivalFinding {
        let best: ArrivalFinding = { kind: "absent" };
        for (const word of text.split(/[\t-\r \u00a0]+/)) {
            const finding = this.findingOf(word);
            if (finding.kind === "link") return finding;
            if (finding.kind === "foreign" || (finding.kind === "malformed" && best.kind === "absent")) best = finding;
        }
        return best;
    }

    /** Returns the link that Safari's banner opened the app with. */
    findInBanner(argument: string): ArrivalFinding { return this.findingOf(argument); }

    /** Classifies a text that is to be a link, percent-encoded or not. */
    private findingOf(original: string): ArrivalFinding {
        let text = original;
        for (let round = 0; round < 3 && !isAddress(text); round += 1) {
            // An encoded address has its colon encoded. A link that is itself encoded inside stays as it is.
            if (!/^https%(?:25){0,2}3a/i.test(text)) return { kind: "absent" };
            const decoded = decode(text);
            if (decoded === undefined) return { kind: "malformed" };
            text = decoded;
        }
        if (!isAddress(text)) return { kind: "absent" };
        const isSound = byteCount(text) <= 8_192 && !/[\u0000-\u0020\u007f\\]|%(?![0-9A-Fa-f]{2})/.test(text);
        if (!isSound) return { kind: "malformed" };
        const authority = text.slice(8).replace(/[/?#].*$/s, "").toLowerCase();
        return this.isOwn(authority) ? { kind: "link", link: text } : { kind: "foreign" };
    }

    private isOwn(host: string): boolean {
        return this.hosts.some((own) => {
            if (!own.startsWith("*.")) return own === host;
            const label = host.slice(0, host.length - own.length + 1);
            return host.endsWith(own.slice(1)) && label !== "" && !label.includes(".");
        });
    }
}

/** Returns the value of `waymark`, still encoded. Some senders encode the whole text once more. */
function waymarkValue(referrer: string): string | undefined {
    let text = referrer;
    for (let round = 0; round < 3; round += 1) {
        const pair = text.split("&").find((part) => part.startsWith("waymark="));
        if (pair !== undefined) return pair.slice("waymark=".length);
        const decoded = text.includes("%") ? decode(text) : undefined;
        if (decoded === undefined) return undefined;
        text = decoded;
    }
    return undefined;
}

const isAddress = (text: string): boolean => text.length > 8 && /^https:\/\//i.test(text);

/** Decodes percent-encoding once, or returns undefined if it is cut off or isn't UTF-8. */
function decode(text: string): string | undefined {
    try {
        return decodeURIComponent(text);
    } catch {
        return undefined;
    }
}

/** Counts the bytes of a text in UTF-8. */
function byteCount(text: string): number {
    let count = 0;
    for (const character of text) {
        const point = character.codePointAt(0) ?? 0;
        count += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x1_0000 ? 3 : 4;
    }
    return count;
}

/**
 * The record of the link that led to the installation of the app, so that it is opened once.
 *
 * Store `text` after every change, outside of everything that signing out clears.
 */
export class ArrivalRecord {
    /** The time of the installation that the record is about, in seconds since 1970, or 0 for none. */
    installedAt = 0;

    /** Whether nothing more is to be read for that installation. */
    isSettled = false;

    /** The time of the last click that was used, or 0 for none. A new installation does not open it again. */
    clickedAt = 0;

    /** The link that was found, until it is handed over. */
    link: string | undefined;

    private linkClickedAt = 0;

    /** Reads a stored record. Without a text, or in another format, it is empty. */
    constructor(text = "") {
        const parts = /^(\d{1,15}) ([01]) (\d{1,15}) (\d{1,15}) (.*)$/s.exec(text);
        if (parts === null) return;
        this.installedAt = Number(parts[1]);
        this.isSettled = parts[2] === "1";
        this.clickedAt = Number(parts[3]);
        this.linkClickedAt = Number(parts[4]);
        this.link = parts[5] === "" ? undefined : parts[5];
    }

    /** The record in the format that is stored. */
    get text(): string {
        const { installedAt, isSettled, clickedAt, linkClickedAt, link } = this;
        return `${installedAt} ${isSettled ? 1 : 0} ${clickedAt} ${linkClickedAt} ${link ?? ""}`;
    }

    /**
     * Notes a start of the app, and returns whether the referrer is to be read. `updatedAt` is the time of the last
     * update, or of the installation.
     *
     * A record that a backup brought from another installation counts for nothing but its last click. An update of an
     * app without a record isn't an installation.
     */
    start(installedAt: number, updatedAt: number): boolean {
        if (installedAt !== this.installedAt) {
            this.installedAt = installedAt;
            this.isSettled = updatedAt > installedAt;
            this.link = undefined;
            this.linkClickedAt = 0;
        }
        return !this.isSettled;
    }

    /**
     * Records the result of a reading, and returns the link to open. Do not call it if the reading failed: the next start
     * tries again.
     */
    receive(finding: ArrivalFinding, clickedAt = 0): string | undefined {
        if (this.isSettled) return undefined;
        if (finding.kind !== "link" || (clickedAt !== 0 && clickedAt === this.clickedAt)) {
            this.settle();
            return undefined;
        }
        this.link = finding.link;
        this.linkClickedAt = clickedAt;
        return finding.link;
    }

    /** Records that the link was handed over: resolved and shown, or refused at a gate and kept by the app. */
    handedOver(): void { this.settle(); }

    /** Notes that a link opened the app itself, which counts more than one that led to the installation. */
    openedByLink(): void { this.settle(); }

    /** Records that the user signed out. A link that was found for them is not for another user. */
    signedOut(): void { if (this.link !== undefined) this.settle(); }

    private settle(): void {
        if (this.link !== undefined && this.linkClickedAt > 0) this.clickedAt = this.linkClickedAt;
        this.isSettled = true;
        this.link = undefined;
        this.linkClickedAt = 0;
    }
}
