// The uses of links in the last 30 days.

import { call, read } from './api.js';
import { announce, button, card, h, s, save, table } from './dom.js';
import { address } from './place.js';

/** The outcomes, each with its name and its color. */
const inApps = /** @type {Series[]} */ ([['opened', 'Opened', 'good'], ['gated', 'At a gate', 'gated'], ['failed', 'Failed', 'bad']]);
const inBrowsers = /** @type {Series[]} */ ([['page', 'Pages', 'accent'], ['redirected', 'Redirects', 'edge'], ['preview', 'Previews', 'quiet']]);

/** The height of a chart. Each day is a unit wide. */
const height = 100;

/** @type {Of['countCards']} */
export async function countCards() {
	const [days, routes, labels] = await Promise.all(['day', 'route', 'label'].map((by) => call('GET', `/v1/counts?by=${by}&limit=10000`)));
	const replies = /** @type {Reply<CountsBody>[]} */ (/** @type {unknown} */ ([days, routes, labels]));
	if (!replies.every((reply) => reply.ok)) return [];
	const [byDay, byRoute, byLabel] = replies.map((reply) => reply.body);
	const all = everyDay(byDay);
	return [
		card('In apps, the last 30 days', [csvButton()], chart('Uses of links in apps', all, inApps),
			h('p.hint', 'An app opened a link, was sent to a gate, or found that the link leads nowhere. Services, tests and this console count nothing.'),
			...(byDay.hint ? [h('p.hint', byDay.hint)] : [])),
		card('In browsers, the last 30 days', [], chart('Answers to browsers', all, inBrowsers),
			h('p.hint', 'Requests of people and programs; a page is not yet a person who reads it.')),
		list('Top routes', 'Route', byRoute.rows.filter((row) => row.route), (row) => h('a', { href: address('routes', { route: row.route ?? '' }) }, row.route ?? '')),
		...(byLabel.rows.some((row) => row.label) ? [list('Labels', 'Label', byLabel.rows.filter((row) => row.label), (row) => h('a', { href: address('short-links', { label: row.label }) }, row.label ?? ''))] : []),
		gates(byDay.rows),
	];
}

/** @type {Of['everyDay']} */
function everyDay({ since, until, rows }) {
	const known = new Map(rows.map((row) => [row.day, row]));
	const days = [];
	for (let day = Date.parse(`${since}T00:00:00Z`); day <= Date.parse(`${until}T00:00:00Z`); day += 86_400_000) {
		const name = new Date(day).toISOString().slice(0, 10);
		days.push(known.get(name) ?? { day: name });
	}
	return days;
}

/** @type {Of['countOf']} */
function countOf(row, outcome) {
	return outcome === 'gated' ? Object.values(row.gated ?? {}).reduce((sum, count) => sum + count, 0) : row[outcome] ?? 0;
}

/** @type {Of['sumOf']} */
function sumOf(rows, outcome) { return rows.reduce((sum, row) => sum + countOf(row, outcome), 0); }

/** @type {Of['chart']} */
function chart(title, days, series) {
	const sums = days.map((row) => series.reduce((sum, [outcome]) => sum + countOf(row, outcome), 0));
	const most = roundUp(Math.max(1, ...sums));
	const tall = (/** @type {number} */ count) => count / most * height;
	const bars = days.flatMap((row, at) => {
		let under = height;
		return series.map(([outcome, name, color]) => {
			const count = countOf(row, outcome);
			under -= tall(count);
			return count ? s('rect', { fill: `var(--${color})`, x: at + .05, y: under, width: .9, height: tall(count) },
				s('title', `${row.day}: ${name} ${count}`)) : null;
		});
	});
	const grid = [0, height / 2, height].map((y) => s('line', { class: 'grid', x2: days.length, y1: y, y2: y }));
	const totals = series.map(([outcome, name]) => `${name} ${sumOf(days, outcome).toLocaleString('en')}`).join(', ');
	return h('div.chart',
		h('ul.legend', series.map(([outcome, name, color]) => h('li', s('svg', { class: 'swatch', 'aria-hidden': 'true' }, s('rect', { width: 14, height: 14, rx: 3, fill: `var(--${color})` })), `${name} `, h('b', sumOf(days, outcome).toLocaleString('en'))))),
		h('div.plot',
			h('div.scale', { 'aria-hidden': 'true' }, [most, most / 2, 0].map((count) => h('span', count % 1 ? '' : count.toLocaleString('en')))),
			s('svg', { viewBox: `0 0 ${days.length} ${height}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': `${title} by day: ${totals}. The table below has the numbers.` }, grid, bars),
			h('p', { 'aria-hidden': 'true' }, [days[0], days.at(-1)].map((row) => h('span', row?.day ?? '')))),
		h('details', h('summary', 'The same as a table'),
			table(`${title} by day`, ['Day', ...series.map(([, name]) => name)], days.map((row) => [row.day ?? '', ...series.map(([outcome]) => `${countOf(row, outcome)}`)]))));
}

/** @type {Of['roundUp']} */
function roundUp(count) {
	const unit = 10 ** Math.floor(Math.log10(count));
	return [1, 2, 5, 10].map((factor) => factor * unit).find((bound) => bound >= count) ?? count;
}

const outcomes = [...inApps, ...inBrowsers];

/** The names of the outcomes, as heads of a table. */
export const countHeads = outcomes.map(([, text]) => text);

/** @type {Of['countCells']} */
export function countCells(row) { return outcomes.map(([outcome]) => `${countOf(row, outcome)}`); }

/** @type {Of['countList']} */
function list(title, head, rows, name) {
	const weight = (/** @type {CountRow} */ row) => outcomes.reduce((sum, [outcome]) => sum + countOf(row, outcome), 0);
	const top = [...rows].sort((one, other) => weight(other) - weight(one)).slice(0, 10);
	return card(title, [], top.length
		? table(`${title}, the last 30 days`, [head, ...countHeads], top.map((row) => [name(row), ...countCells(row)]))
		: h('p', 'None yet.'));
}

/** @type {Of['countGates']} */
function gates(rows) {
	/** @type {Record<string, number>} */
	const sums = {};
	for (const row of rows) for (const [gate, count] of Object.entries(row.gated ?? {})) sums[gate] = (sums[gate] ?? 0) + count;
	const lines = Object.entries(sums).sort((one, other) => other[1] - one[1]);
	return card('Gates, the last 30 days', [],
		lines.length ? table('Links that ended at gates', ['Gate', 'Times'], lines.map(([gate, count]) => [gate, `${count}`])) : h('p', 'No link ended at a gate.'),
		h('p.hint', `${sumOf(rows, 'passed').toLocaleString('en')} links were opened after a gate, ${sumOf(rows, 'arrived').toLocaleString('en')} after an installation of the app.`));
}

/** @type {Of['csvButton']} */
function csvButton() {
	return button('Save as CSV', async () => {
		const table = await read('/v1/counts?by=day,route,label&limit=10000', 'text/csv');
		if (table) save(table, 'counts.csv');
		else announce('The server did not send the counts.');
	});
}
