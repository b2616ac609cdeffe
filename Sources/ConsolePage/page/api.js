// The server's API, and the token that calls it. Nothing here asks any other host.

const storageKey = 'waymark-token';

/** The token, kept for this tab alone and never in an address. */
export const token = {
	/** @returns {string} */
	get value() { return sessionStorage.getItem(storageKey) ?? ''; },
	set value(text) {
		if (text) sessionStorage.setItem(storageKey, text);
		else sessionStorage.removeItem(storageKey);
		document.dispatchEvent(new Event('waymark:token'));
	},
};

/**
 * Sends a request and reads the answer, whatever its status.
 * @template [Body=Answer]
 * @param {string} method
 * @param {string} path
 * @param {Options} [options]
 * @returns {Promise<Reply<Body>>}
 */
export async function call(method, path, options = {}) {
	/** @type {Record<string, string>} */
	const headers = { Accept: 'application/json, application/x-ndjson, application/problem+json', ...options.headers };
	if (token.value) headers.Authorization = `Bearer ${token.value}`;
	if (options.body !== undefined) headers['Content-Type'] = options.type ?? 'application/json';
	const response = await fetch(path, {
		method, headers, body: options.body, signal: options.signal,
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
		return { title: 'The answer is no JSON', detail: text.slice(0, 500) };
	}
}

/** @type {Of['apiLines']} */
function lines(text) { return text.split('\n').filter((line) => line).map(parsed); }

/** Asks several questions at once; one answer each, in order.
 * @type {Of['resolveAll']} */
export async function resolveAll(questions, signal) {
	/** @type {Reply<Answer[] | Answer>} */
	const reply = await call('POST', '/v1/resolve/batch', {
		body: questions.map((question) => JSON.stringify(question) + '\n').join(''),
		type: 'application/x-ndjson',
		signal,
	});
	return reply.body;
}

/** The code of a problem; empty for what is none.
 * @type {Of['problemCode']} */
export function problemCode(answer) {
	return typeof answer.type === 'string' ? answer.type.replace('urn:waymark:problem:', '') : '';
}

/** What a problem says, in a sentence or two.
 * @type {Of['problemText']} */
export function problemText(answer) {
	return [answer.title, answer.detail].filter(Boolean).join(': ') || 'The server gave no reason.';
}

/** @type {Promise<string[]> | undefined} */
let paths;

/** Whether the server has an endpoint, by its own description: what is not there need not be asked for in vain.
 * @type {Of['hasEndpoint']} */
export async function hasEndpoint(path) {
	paths ??= call('GET', '/openapi.json').then(({ body }) => Object.keys(body.paths ?? {}), () => []);
	return (await paths).includes(path);
}
