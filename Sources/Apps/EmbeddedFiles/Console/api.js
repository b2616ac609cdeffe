// The server's API, and the token for its calls. Nothing here calls any other host.

const storageKey = 'waymark-token';

/** The token, stored for this tab alone and never in an address. */
export const token = {
	/** @returns {string} */
	get value() { return sessionStorage.getItem(storageKey) ?? ''; },
	set value(text) {
		if (text) sessionStorage.setItem(storageKey, text);
		else sessionStorage.removeItem(storageKey);
		document.dispatchEvent(new Event('waymark:token'));
	},
};

// Only here is a cookie sent, which no script sees.
/** @type {Of['askConsole']} */
export async function askConsole(method, path) {
	return (await fetch(path, { method, credentials: 'same-origin', redirect: 'error', cache: 'no-store' })).json();
}

/** @type {Promise<Session>} */
let known;
let renewal = 0;
let canLogIn = false;

/** @type {Of['session']} */
export async function session() {
	if (Date.now() < renewal) return known;
	renewal = Infinity;
	known = askConsole('POST', '/console/session').catch(() => ({ expiresIn: 65 }));
	const current = await known;
	if (current.expiresIn) renewal = Date.now() + (current.expiresIn - 60) * 1000;
	canLogIn = !!current.canLogIn;
	return current;
}

/**
 * Sends a request and reads the answer, with any status.
 * @template [Body=Answer]
 * @param {string} method
 * @param {string} path
 * @param {Options} [options]
 * @returns {Promise<Reply<Body>>}
 */
export async function call(method, path, options = {}) {
	/** @type {Record<string, string>} */
	const headers = { Accept: 'application/json, application/x-ndjson, application/problem+json', ...options.headers };
	const bearer = token.value || (await session()).token;
	if (bearer) headers.Authorization = `Bearer ${bearer}`;
	if (options.body !== undefined) headers['Content-Type'] = options.type ?? 'application/json';
	const response = await fetch(path, {
		method, headers, body: typeof options.body === 'object' ? JSON.stringify(options.body) : options.body, signal: options.signal,
		credentials: 'omit', redirect: 'error', cache: method === 'GET' ? 'no-cache' : 'no-store',
	});
	const text = await response.text();
	if (response.status === 401) document.dispatchEvent(new Event('waymark:unauthorized'));
	const type = response.headers.get('Content-Type') ?? '';
	return {
		ok: response.ok,
		status: response.status,
		body: /** @type {Body} */ (type.includes('ndjson') ? lines(text) : text ? parsed(text) : {}),
		tag: response.headers.get('ETag'),
	};
}

/** @type {Of['apiParsed']} */
function parsed(text) {
	try {
		return JSON.parse(text);
	} catch {
		return { title: 'The answer is not JSON', detail: text.slice(0, 500) };
	}
}

/** @type {Of['apiLines']} */
function lines(text) { return text.split('\n').filter((line) => line).map(parsed); }

/** @type {Of['resolveAll']} */
export async function resolveAll(questions, signal) {
	/** @type {Reply<Answer[] | Answer>} */
	const reply = await call('POST', '/v1/resolve/batch', {
		body: questions.map((question) => JSON.stringify(question) + '\n').join(''),
		type: 'application/x-ndjson',
		signal,
	});
	return reply.body;
}

/** @type {Of['problemCode']} */
export function problemCode(answer) {
	return typeof answer.type === 'string' ? answer.type.replace('urn:waymark:problem:', '') : '';
}

/** @type {Of['problemText']} */
export function problemText(answer) {
	if (problemCode(answer) === 'authentication-required') return token.value ? 'The server refuses this token. Press “Token refused”, and set another.' : canLogIn ? 'Press “Log in”, or set a token.' : 'This needs a token. Press “Token needed”, and paste one.';
	return [answer.title, answer.detail].filter(Boolean).join(': ') || 'The server gave no reason.';
}

/** @type {Of['errorText']} */
export function errorText(error) { return error instanceof Error ? error.message : String(error); }

/** @type {Of['read']} */
export async function read(path, type) {
	/** @type {Record<string, string>} */
	const headers = { Accept: type, ...(token.value && { Authorization: `Bearer ${token.value}` }) };
	const response = await fetch(path, { headers, credentials: 'omit', redirect: 'error' }).catch(() => undefined);
	return response?.ok ? response.blob() : undefined;
}
