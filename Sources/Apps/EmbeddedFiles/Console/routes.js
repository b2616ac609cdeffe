// The routes: a search, and a tree from `entry`.

import { errorText } from './api.js';
import { addressText, catalog, levels } from './catalog.js';
import { button, field, h, input, notice, put } from './dom.js';
import { address, change } from './place.js';
import { routeDetail } from './route.js';

const maximumCount = 100;

/** @type {View} */
export const view = {
	title: 'Routes',
	mount(main) {
		const control = input('search', { type: 'search', placeholder: 'name, path or description' });
		const list = h('div.found', { id: 'found' });
		const detail = h('div.detail-pane', { id: 'detail' });
		control.addEventListener('input', () => change({ q: control.value }, { replace: true }));
		put(main, h('h1', 'Routes'), h('div.panes',
			h('div.list-pane', field('Search', control), h('p.hint', { id: 'count', role: 'status' }), list), detail));
		let shownSearch = '';
		let shownRoute = '';
		return {
			async update(parameters) {
				const search = parameters.get('q') ?? '';
				const name = parameters.get('route') ?? '';
				if (control.value !== search) control.value = search;
				try {
					const known = await catalog();
					const key = `${known.body.catalogVersion} ${search}`;
					if (key !== shownSearch) {
						shownSearch = key;
						showList(known, search, list);
					}
					for (const link of list.querySelectorAll('a[aria-current]')) link.removeAttribute('aria-current');
					for (const link of list.querySelectorAll('a')) if (link.dataset.route === name) link.setAttribute('aria-current', 'true');
					const routeKey = `${known.body.catalogVersion} ${name}`;
					if (routeKey === shownRoute) return;
					shownRoute = routeKey;
					const route = known.routes.get(name);
					put(detail, route ? routeDetail(known, route)
						: name ? notice('No such route', `The catalog ${known.body.catalogVersion} has no route ${name}.`)
							: notice('Choose a route', 'This pane shows its requirements, the routes that open it, the routes that it opens, and example links.'));
				} catch (error) {
					put(detail, notice('No catalog', errorText(error)));
				}
			},
		};
	},
};

/** @type {Of['showList']} */
function showList(known, search, list) {
	const count = list.parentElement?.querySelector('#count');
	if (!search.trim()) {
		if (count) count.textContent = `${known.body.routes.length} routes, from where links begin`;
		put(list, branch(known, '', []));
		return;
	}
	const found = known.search(search);
	if (count) count.textContent = found.length > maximumCount ? `${found.length} routes; the first ${maximumCount} are shown` : `${found.length} ${found.length === 1 ? 'route' : 'routes'}`;
	put(list, h('ul.matches', found.slice(0, maximumCount).map((route) => h('li', routeLink(known, route.name, addressText(route))))));
}

/** @type {Of['routeLink']} */
function routeLink(known, name, text, presentation = '') {
	const q = new URLSearchParams(location.hash.slice(1)).get('q');
	const route = known.routes.get(name);
	const [level, app] = [route?.authorizationLevel, route?.app];
	return h('a', { href: address('routes', { q, route: name }), 'data-route': name },
		h('b', name), h('code', text), level && level !== levels[0] ? h('span.level', level) : null, app ? h('span.level', app) : null, presentation && h('span.presentation', presentation));
}

/** @type {Of['branch']} */
function branch(known, name, above) {
	const edges = known.opens(name);
	const list = h('ul.tree');
	const add = (/** @type {number} */ from) => {
		list.querySelector(':scope > .further')?.remove();
		list.append(...edges.slice(from, from + maximumCount).map((edge) => twig(known, edge, above)));
		const rest = edges.length - from - maximumCount;
		if (rest > 0) list.append(h('li.further', button(`${rest} more`, () => add(from + maximumCount), 'button.small')));
	};
	add(0);
	return list;
}

/** @type {Of['twig']} */
function twig(known, edge, above) {
	const route = known.routes.get(edge.route);
	const text = addressText(edge.path !== undefined || edge.query !== undefined ? edge : route ?? {});
	const line = routeLink(known, edge.route, text, edge.presentation);
	if (above.includes(edge.route)) return h('li', h('div.twig', line, h('span', { title: 'shown above' }, '↺', h('span.hidden', ' shown above'))));
	if (!route?.opens.length) return h('li', h('div.twig', line));
	const holder = h('div');
	const isShallow = above.length === 0 && known.body.routes.length <= 200;
	const details = h('details', {
		open: isShallow,
		ontoggle: (/** @type {Event} */ event) => {
			if (/** @type {HTMLDetailsElement} */ (event.target).open && !holder.hasChildNodes()) put(holder, branch(known, edge.route, [...above, edge.route]));
		},
	}, h('summary', { 'aria-label': `Routes that ${edge.route} opens` }), holder);
	return h('li', h('div.twig', line), details);
}
