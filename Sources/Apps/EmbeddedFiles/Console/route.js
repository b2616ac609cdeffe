// One route: its requirements, its edges, and example links.

import { call } from './api.js';
import { addressText, grants, levels } from './catalog.js';
import { card, copyButton, h, pair, put, table } from './dom.js';
import { address } from './place.js';
import { valueText } from './screens.js';
import { witnesses } from './witness.js';

/** @type {Of['routeDetail']} */
export function routeDetail(known, route) {
	const openers = known.openers.get(route.name) ?? [];
	return h('div',
		card(route.name, [h('a.button', { href: address('graph', { route: route.name }) }, 'Graph')],
			route.description ? h('p', route.description) : null,
			h('dl.pairs',
				pair('In links', addressText(route) || 'in none'),
				route.aliases?.length ? pair('Aliases', route.aliases.map((alias) => `/${alias}`).join(', ')) : null,
				pair('Level', route.authorizationLevel),
				route.app ? pair('App', route.app) : null,
				route.requires?.length ? pair('Grants', route.requires.join(', ')) : null,
				pair('Defined at', defined(route.location)))),
		examples(known, route),
		route.parameters.length ? card('Parameters', [], table('Parameters', ['Name', 'Type', 'From', 'Needed', 'Accepts'], route.parameters.map(parameterRow))) : null,
		card('Opened by', [], edgeTable('Routes that open it', 'Route', openers.map(({ parent, edge }) => ({ name: parent, edge })), known)),
		route.opens.length ? card('Opens', [], edgeTable('Routes that it opens', 'Route', route.opens.map((edge) => ({ name: edge.route, edge })), known)) : null);
}

/** @type {Of['defined']} */
function defined(location) { return `line ${location.line}, column ${location.column} of ${location.file ?? 'the catalog'}`; }

/** @type {Of['parameterRow']} */
function parameterRow(parameter) {
	return [
		h('code', parameter.name), parameter.type, parameter.inherit !== undefined ? h('code', parameter.inherit) : parameter.from === undefined ? 'the path' : h('code', [parameter.from].flat().map((key) => `?${key}=`).join(' or ')),
		parameter.required ? 'yes' : parameter.default === undefined ? 'no' : `no: ${valueText(parameter.default)}`,
		parameter.fields ? parameter.fields.map((field) => `${field.name}: ${field.expected ?? field.type}`).join('; ') : parameter.expected ?? '',
	];
}

/** @type {Of['edgeTable']} */
function edgeTable(caption, head, rows, known) {
	return table(caption, [head, 'Presentation', 'By', 'Level', 'Defined at'], rows.slice(0, 200).map(({ name, edge }) => [
		name ? h('a', { href: address('routes', { route: name }) }, name) : 'entry', [edge.presentation, edge.initial ? 'initial' : '', edge.app, edge.group ? `group ${edge.group}` : ''].filter(Boolean).join(', '),
		edge.linkable === false ? 'the app alone' : h('code', addressText(edge.path !== undefined || edge.query !== undefined ? edge : known.routes.get(edge.route) ?? {})),
		[edge.authorizationLevel ?? known.routes.get(edge.route)?.authorizationLevel ?? levels[0],
			...edge.requires ?? known.routes.get(edge.route)?.requires ?? []].join(', '),
		`${edge.location.file ?? 'line'} ${edge.location.line}`,
	]));
}

/** @type {Of['examples']} */
function examples(known, route) {
	const holder = h('div', h('p.hint', 'Loading links from the server…'));
	findLinks(known, route).then((links) => put(holder, links.length
		? h('ul.examples', links.map((link) => h('li', h('a.link', { href: address('link', { link, level: levels.at(-1), grants: grants.map((grant) => grant.name).join(',') }) }, link), copyButton('the link', () => link))))
		: h('p', 'No link was found: only the app opens it, or no valid value is known.')), (error) => put(holder, `${error}`));
	return card('Try it', [], holder);
}

/** @type {Of['findLinks']} */
async function findLinks(known, route) {
	const replies = await Promise.all(shortest(known, route.name).map((stack) => call('POST', '/v1/links', { body: { stack } })));
	return replies.filter((reply) => reply.ok).map((reply) => String(reply.body.link));
}

/** @type {Of['shortest']} */
function shortest(known, name) {
	/** @type {{ edge: Edge, before: number }[]} */
	const queue = known.body.entry.filter((edge) => edge.linkable !== false).map((edge) => ({ edge, before: -1 }));
	const seen = new Set(queue.map(({ edge }) => edge.route));
	for (let at = 0; at < queue.length; at += 1) {
		const { edge } = queue[at];
		if (edge.route === name) {
			// The server adds the initial children.
			const steps = [];
			for (let place = at; place >= 0; place = queue[place].before) steps.unshift(queue[place].edge);
			return [steps.map(({ route, presentation, path, query, parameters }) => {
				const declared = known.routes.get(route);
				return { route, presentation, parameters: witnesses(parameters ?? declared?.parameters ?? [], path === undefined ? query ?? declared?.query : query) };
			})];
		}
		for (const next of known.opens(edge.route)) {
			if (next.linkable === false || seen.has(next.route)) continue;
			seen.add(next.route);
			queue.push({ edge: next, before: at });
		}
	}
	return [];
}
