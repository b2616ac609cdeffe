// The session of the app's user, kept by the browser.

const key = "user";
const listeners = new Set<() => void>();

/** The user who is signed in, or who has only been introduced; none at first. */
export const session = {
    get user(): string | undefined { return localStorage.getItem(key) ?? undefined; },

    /** Whether the last action found no backend. */
    hasFailed: false,

    subscribe(listener: () => void): () => void {
        listeners.add(listener);
        return () => { listeners.delete(listener); };
    },

    /** Has the introduction noted for this device. Each action returns whether it was done. */
    async introduce(): Promise<boolean> { return this.become(`device-${crypto.randomUUID()}`, "introduce"); },

    /** Signs the user in, as an identity provider would. */
    async signIn(name: string): Promise<boolean> { return this.become(name, "signIn"); },

    /** Buys the premium level; it arrives some time later. */
    async buy(): Promise<boolean> { return this.send(this.user ?? "", "buy"); },

    signOut(): void { localStorage.removeItem(key); },

    async become(user: string, action: string): Promise<boolean> {
        const isDone = await this.send(user, action);
        if (isDone) localStorage.setItem(key, user);
        return isDone;
    },

    async send(user: string, action: string): Promise<boolean> {
        const response = await fetch("/session", { method: "POST", body: JSON.stringify({ action, user }) })
            .catch(() => undefined);
        this.hasFailed = response?.ok !== true;
        for (const listener of listeners) listener();
        return !this.hasFailed;
    },
};
