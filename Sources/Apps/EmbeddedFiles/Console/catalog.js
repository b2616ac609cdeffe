// The catalog in force, loaded once and indexed.

import { call, problemText } from './api.js';

/** @type {Level[]} */
export let levels = ['none', 'onboardingCompleted', 'signedInUser', 'premiumUser'];

/** @type {Grant[]} */
export let grants = [];

/** @type {Set<string>} */
let fromApp = new Set();

/** @type {Of['takeNames']} */
function takeNames(body) {
	const names = body.levels ? body.levels.map((level) => typeof level === 'string' ? level : level.name) : levels;
	const facts = (body.grants ?? []).map((grant) => typeof grant === 'string' ? { name: grant } : grant);
	const isSame = JSON.stringify([names, facts]) === JSON.stringify([levels, grants]);
	[levels, grants] = [names, facts];
	fromApp = new Set(facts.filter((grant) => grant.from === 'app').map((grant) => grant.name));
	if (!isSame) document.dispatchEvent(new Event('waymark:levels'));
}

/** @type {Of['permissions']} */
export function permissions(level, names) {
	const stored = names.filter((name) => !fromApp.has(name));
	return { level, ...(stored.length && { grants: stored }), ...asserted(names) };
}

/** @type {Of['asserted']} */
export function asserted(names) {
	const held = names.filter((name) => fromApp.has(name));
	return held.length ? { holds: held } : {};
}

/** @type {Of['everything']} */
export function everything() { return permissions(levels.at(-1) ?? '', grants.map((grant) => grant.name)); }

export class Catalog {
	/** @param {CatalogBody} body */
	constructor(body) {
		this.body = body;
		takeNames(body);
		/** @type {Map<string, Route>} */
		this.routes = new Map(body.routes.map((route) => [route.name, route]));
		/** @type {Openers} */
		this.openers = new Map();
		this.#note('', body.entry);
		for (const route of body.routes) this.#note(route.name, route.opens);
		this.texts = body.routes.map((route) =>
			`${route.name} ${route.path ?? ''} ${route.query ?? ''} ${route.app ?? ''} ${(route.aliases ?? []).join(' ')} ${route.description ?? ''}`.toLowerCase());
	}

	/** @param {string} parent @param {Edge[]} edges */
	#note(parent, edges) {
		for (const edge of edges) {
			const list = this.openers.get(edge.route);
			if (list) list.push({ parent, edge });
			else this.openers.set(edge.route, [{ parent, edge }]);
		}
	}

	/** @param {string} name @returns {Edge[]} */
	opens(name) { return name ? this.routes.get(name)?.opens ?? [] : this.body.entry; }

	/** @param {string} text */
	search(text) {
		const words = text.toLowerCase().split(/\s+/).filter(Boolean);
		const found = this.body.routes.filter((_, place) => words.every((word) => this.texts[place].includes(word)));
		const rank = (/** @type {Route} */ route) => {
			const name = route.name.toLowerCase();
			return name === words[0] ? 0 : name.startsWith(words[0] ?? '') ? 1 : name.includes(words[0] ?? '') ? 2 : 3;
		};
		return words.length ? found.map((route) => ({ route, rank: rank(route) })).sort((a, b) => a.rank - b.rank).map((item) => item.route) : found;
	}

	/** @param {string} name @returns {string[]} */
	tabs(parent = '', name = '') {
		const tabs = this.opens(parent).filter((edge) => edge.presentation === 'tab').map((edge) => edge.route);
		return tabs.includes(name) ? tabs : [...tabs, name];
	}
}

/** @type {Promise<Catalog> | undefined} */
let loading;

/** @param {string} [version] @returns {Promise<Catalog>} */
export async function catalog(version) {
	if (loading && version && (await loading.catch(() => undefined))?.body.catalogVersion !== version) loading = undefined;
	loading ??= load();
	return loading;
}

async function load() {
	try {
		/** @type {Reply<CatalogBody & Answer>} */
		const reply = await call('GET', '/v1/catalog');
		if (!reply.ok) throw new Error(problemText(reply.body));
		return new Catalog(reply.body);
	} catch (error) {
		loading = undefined;
		throw error;
	}
}

/** Discards the catalog, because another caller may see another. */
export function forgetCatalog() { loading = undefined; }

/** @type {Of['addressText']} */
export function addressText(item) {
	if (item.query !== undefined) return `?${item.query}=`;
	return item.path === '' ? 'no segment' : item.path === undefined ? '' : `/${item.path}`;
}
