// The counts of the last 30 days, and the report since the start.

import { call } from './api.js';
import { countCards } from './counts.js';
import { busy, button, card, h, put, refusal, table } from './dom.js';
import { address } from './place.js';

/** @type {View} */
export const view = {
	title: 'Report',
	mount(main) {
		const content = h('div.result');
		put(main, h('div.card-head', h('h1', 'Report'), button('Read again', () => load(content))), content);
		return { update: () => { load(content); } };
	},
};

/** @type {Of['load']} */
async function load(content) {
	await busy(content, async () => {
		const [cards, tables] = await Promise.all([countCards(), report()]);
		put(content, ...cards, tables);
	});
}

async function report() {
	const reply = await call('GET', '/v1/report');
	if (!reply.ok) return refusal(reply.body, 'For monitors and admins', 'No report');
	return told(/** @type {ReportBody} */ (/** @type {unknown} */ (reply.body)));
}

/** @type {Of['told']} */
function told({ since, total, lastHour, hours, unmatched, pages, log }) {
	const most = Math.max(1, ...hours.map((hour) => hour.resolved + hour.gated + hour.failed));
	const gates = total.gates.map((gate) => gate.level ?? gate.grant ?? '');
	const outcome = (/** @type {string} */ name, /** @type {ReportHour} */ counts) => [name, counts.resolved, counts.gated, counts.failed].map(String);
	const heads = ['Resolved', 'Gated', 'Failed'];
	return h('div.result',
		h('h2', 'Since the start of this server'),
		rows('Outcomes', ['', ...heads], [outcome(`Since ${moment(since)}`, total), outcome('Last hour', lastHour)]),
		deadLinks('Links that nothing matched', unmatched),
		rows('Problems of failed links', ['Problem', 'Times', 'Last hour'], Object.entries(total.problems).map(([code, count]) => [h('code', code), `${count}`, `${lastHour.problems[code] ?? 0}`])),
		rows('Gates', ['Gate', 'Reached', 'Passed'], total.gates.map(({ level, grant, reached, passed }) => [level ?? grant, `${reached}`, `${passed}`])),
		rows('Routes', ['Route', 'Resolved', ...gates.map((gate) => `Gated at ${gate}`), 'Catalog'], total.routes.map(({ route, catalogVersion, resolved, gated }) =>
			[h('a', { href: address('routes', { route }) }, route), `${resolved}`, ...gates.map((gate) => `${gated[gate] ?? 0}`), catalogVersion])),
		rows('Hours', ['Hour', ...heads, 'All'], hours.map((hour) => {
			const all = hour.resolved + hour.gated + hour.failed;
			return [...outcome(moment(hour.hour), hour), h('meter', { max: most, value: all, 'aria-label': `${all}` }, `${all}`)];
		})),
		...(pages ? visits(pages, since) : []),
		log?.dropped ? h('p', `The log dropped ${log.dropped} lines.`) : null);
}

/** @type {Of['visits']} */
function visits({ total, lastHour, unmatched }, since) {
	const heads = ['Pages', 'Previews', 'Redirects'];
	const counts = (/** @type {PageCounts} */ of) => [of.page, of.preview, of.redirected].map(String);
	return [
		rows('Visitors', ['', ...heads, 'Unknown links'], [[`Since ${moment(since)}`, ...counts(total), `${total.unknown}`], ['Last hour', ...counts(lastHour), `${lastHour.unknown}`]]),
		rows('Pages of routes', ['Route', ...heads, 'Catalog'], total.routes.map((of) => [h('a', { href: address('routes', { route: of.route }) }, of.route), ...counts(of), of.catalogVersion])),
		deadLinks('Links without a page', unmatched),
	];
}

/** @type {Of['deadLinks']} */
function deadLinks(title, { links }) { return rows(title, ['Link', 'Times', 'Too high by at most'], links.map(({ link, count, error }) => [h('code', link), `${count}`, `${error}`])); }

/** @type {Of['rows']} */
function rows(title, heads, lines) { return card(title, [], lines.length ? table(title, heads, lines) : h('p', 'None.')); }

/** @type {Of['moment']} */
function moment(text) { return text.replace('T', ' ').replace(/(:\d+\.\d+)?Z$/, ' UTC'); }
