// The neighborhood of one route. Names of groups begin with a line feed.

import { errorText } from './api.js';
import { addressText, catalog } from './catalog.js';
import { choice, field, h, input, notice, put, s, submit } from './dom.js';
import { address, change } from './place.js';

const maximumColumn = 14;

/** @type {View} */
export const view = {
	title: 'Graph',
	mount(main) {
		const control = input('graph-route', { list: 'graph-routes' });
		const depth = choice('depth', [['', '1 step'], ['2', '2 steps']]);
		depth.onchange = () => change({ depth: depth.value });
		const names = h('datalist', { id: 'graph-routes' });
		const drawing = h('div', { id: 'graph' });
		put(main, h('h1', 'Graph'),
			h('form.row', { onsubmit: submit(() => change({ route: control.value })) },
				field('Route', control), field('Neighbourhood', depth), h('button.primary', 'Show'), names), drawing);
		control.addEventListener('input', async () => {
			const known = await catalog().catch(() => undefined);
			put(names, known?.search(control.value).slice(0, 20).map((route) => h('option', { value: route.name })) ?? []);
		});
		/** @type {ResizeObserver | undefined} */
		let observer;
		return {
			async update(parameters) {
				try {
					const known = await catalog();
					const { entry } = known.body;
					const first = entry.find((edge) => edge.initial) ?? [...entry].sort((a, b) => known.opens(b.route).length - known.opens(a.route).length)[0];
					const name = parameters.get('route') ?? first?.route ?? '';
					const steps = parameters.get('depth') === '2' ? 2 : 1;
					if (document.activeElement !== control || !control.value) control.value = name;
					depth.value = steps === 2 ? '2' : '';
					observer?.disconnect();
					if (!known.routes.has(name)) {
						put(drawing, notice('No such route', `The catalog ${known.body.catalogVersion} has no route ${name}.`));
						return;
					}
					const draw = neighbourhood(known, name, steps, drawing);
					draw();
					observer = new ResizeObserver(draw);
					observer.observe(drawing);
				} catch (error) {
					put(drawing, notice('No catalog', errorText(error)));
				}
			},
		};
	},
};

/** @type {Of['neighbourhood']} */
function neighbourhood(known, name, depth, drawing) {
	const columns = [[name]];
	for (const [side, next] of /** @type {const} */ ([['left', openers], ['right', opened]])) {
		const seen = new Set([name]);
		let border = [name];
		for (let step = 0; step < depth; step += 1) {
			border = [...new Set(border.flatMap((one) => next(known, one)))].filter((one) => !seen.has(one));
			for (const one of border) seen.add(one);
			if (!border.length) break;
			if (side === 'left') columns.unshift(border);
			else columns.push(border);
		}
	}
	const middle = columns.findIndex((column) => column[0] === name);
	const canvas = s('svg', { class: 'edges', 'aria-hidden': 'true' });
	/** @type {Map<string, HTMLElement>} */
	const boxes = new Map();
	const lists = columns.map((column, at) => h('section.column',
		h('h2', at < middle ? (middle - at > 1 ? 'Two steps before' : 'Opened by') : at === middle ? 'Route' : at - middle > 1 ? 'Two steps on' : 'Opens'),
		h('ul', column.slice(0, maximumColumn).map((one) => h('li', box(known, one, name, boxes, `${at} ${one}`, at < middle)))),
		column.length > maximumColumn ? h('p.hint', h('a', { href: address('routes', { route: name }) }, `and ${column.length - maximumColumn} more`)) : null));
	put(drawing, h('div.graph', { tabindex: 0, role: 'region', 'aria-label': `Neighbourhood of ${name}` }, canvas, ...lists));
	return () => lines(canvas, boxes, columns, known);
}

/** @type {Of['openers']} */
function openers(known, name) { return (known.openers.get(name) ?? []).map(({ parent, edge }) => edge.group ? `\n${edge.group}` : parent); }

/** @type {Of['opened']} */
function opened(known, name) {
	return name[0] === '\n' ? [...known.openers].filter(([, list]) => list.some(({ edge }) => `\n${edge.group}` === name)).map(([to]) => to)
		: known.opens(name).map((edge) => edge.group ? `\n${edge.group}` : edge.route);
}

/** @type {Of['box']} */
function box(known, name, centre, boxes, key, isBefore) {
	const toCentre = (from = '', to = '') => [...new Set(known.opens(from).filter((edge) => edge.route === to).map((edge) => edge.presentation))].join(', ');
	const words = name === centre
		? [known.routes.get(name)?.authorizationLevel, toCentre(name, name) && `↺ ${toCentre(name, name)}`].filter(Boolean).join(' · ')
		: name[0] === '\n' ? 'group' : isBefore ? toCentre(name, centre) : toCentre(centre, name);
	const inside = [h('b', name || 'entry'), h('span.presentation', words), h('code', name ? addressText(known.routes.get(name) ?? {}) : '')];
	const element = name === centre || !known.routes.has(name)
		? h('div', { class: `box${name === centre ? ' centre' : ''}` }, inside, known.routes.has(name) ? h('a', { href: address('routes', { route: name }) }, 'Details') : null)
		: h('a.box', { href: address('graph', { route: name, depth: new URLSearchParams(location.hash.slice(1)).get('depth') }) }, inside);
	boxes.set(key, element);
	return element;
}

/** @type {Of['graphLines']} */
function lines(canvas, boxes, columns, known) {
	const frame = canvas.parentElement;
	if (!frame) return;
	const origin = frame.getBoundingClientRect();
	const at = (/** @type {HTMLElement} */ element) => {
		const rect = element.getBoundingClientRect();
		return { left: rect.left - origin.left + frame.scrollLeft, right: rect.right - origin.left + frame.scrollLeft, y: rect.top + rect.height / 2 - origin.top + frame.scrollTop };
	};
	const paths = [s('marker', { id: 'arrow', viewBox: '0 0 6 6', refX: 6, refY: 3, markerWidth: 6, markerHeight: 6, orient: 'auto' }, s('path', { d: 'M0 0L6 3L0 6z' }))];
	for (const [place, column] of columns.slice(0, -1).entries()) {
		for (const name of column) {
			const opens = new Set(opened(known, name));
			for (const to of columns[place + 1]) {
				const [from, target] = [boxes.get(`${place} ${name}`), boxes.get(`${place + 1} ${to}`)];
				if (!from || !target || !opens.has(to)) continue;
				const [a, b] = [at(from), at(target)];
				const bend = Math.max(20, Math.abs(b.left - a.right) / 2);
				paths.push(s('path', { d: `M${a.right} ${a.y}C${a.right + bend} ${a.y} ${b.left - bend} ${b.y} ${b.left} ${b.y}`, 'marker-end': 'url(#arrow)' }));
			}
		}
	}
	canvas.setAttribute('width', String(frame.scrollWidth));
	canvas.setAttribute('height', String(frame.scrollHeight));
	canvas.replaceChildren(...paths);
}
