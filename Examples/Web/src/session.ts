// The session of the app's user, kept by the browser.

const key = "user", introduced = "introduced", level = "level";
const listeners = new Set<() => void>();

/** The session: the user who is signed in, and the levels that this device itself knows of. */
export const session = {
    get user(): string | undefined { return localStorage.getItem(key) ?? undefined; },

    /** The level of the user as far as the app knows: what the server said last. */
    get level(): string | undefined {
        return this.user === undefined ? undefined : localStorage.getItem(level) ?? "signedInUser";
    },

    /** Notes the level of a user that the server said. */
    learn(user: unknown, said: unknown): void {
        if (user === this.user && typeof user === "string" && typeof said === "string") localStorage.setItem(level, said);
    },

    /** The levels that the app asserts, signed in or not: `from: app` in the catalog. */
    get holds(): string[] { return localStorage.getItem(introduced) === null ? [] : ["onboardingCompleted"]; },

    /** Whether the last action found no backend. */
    hasFailed: false,

    subscribe(listener: () => void): () => void {
        listeners.add(listener);
        return () => { listeners.delete(listener); };
    },

    /** Notes that the introduction was seen on this device; signing out leaves that. */
    introduce(): void { localStorage.setItem(introduced, "yes"); },

    /** Signs the user in, as an identity provider would. Each action of the backend's returns whether it was done. */
    async signIn(name: string): Promise<boolean> {
        const isDone = await this.send(name, "signIn");
        if (isDone) localStorage.setItem(key, name);
        return isDone;
    },

    /** Buys the premium level; it arrives some time later. */
    async buy(): Promise<boolean> { return this.send(this.user ?? "", "buy"); },

    signOut(): void { for (const name of [key, level]) localStorage.removeItem(name); },

    /** Forgets that the last action found no backend, once the user goes elsewhere. */
    forgetFailure(): void { this.hasFailed = false; },

    async send(user: string, action: string): Promise<boolean> {
        const response = await fetch("/session", { method: "POST", body: JSON.stringify({ action, user }) })
            .catch(() => undefined);
        this.hasFailed = response?.ok !== true;
        for (const listener of listeners) listener();
        return !this.hasFailed;
    },
};
