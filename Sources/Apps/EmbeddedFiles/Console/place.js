// The address of the console: a view, and parameters in the fragment, which is in no log and no `Referer`.

export const views = ['link', 'routes', 'graph', 'associations', 'users', 'short-links', 'changes', 'report'];

/** Reads the address: `/console/users/{id}#after=…`. */
export function place() {
	const [view = '', identifier = ''] = location.pathname.split('/').slice(2);
	return {
		view: views.includes(view) ? view : 'link',
		identifier: decoded(identifier),
		parameters: new URLSearchParams(location.hash.slice(1)),
	};
}

/** @type {Of['decoded']} */
function decoded(text) {
	try {
		return decodeURIComponent(text);
	} catch {
		return '';
	}
}

/** @type {Of['address']} */
export function address(view, parameters = {}, identifier = '') {
	const fragment = new URLSearchParams();
	for (const [name, value] of Object.entries(parameters)) {
		if (value !== undefined && value !== null && value !== '' && value !== false) fragment.set(name, String(value));
	}
	const text = fragment.toString();
	return `/console/${view}${identifier ? `/${encodeURIComponent(identifier)}` : ''}${text ? `#${text}` : ''}`;
}

/** @type {Of['go']} */
export function go(to, options = {}) {
	if (options.replace || new URL(to, location.href).href === location.href) history.replaceState(null, '', to);
	else history.pushState(null, '', to);
	document.dispatchEvent(new Event('waymark:place'));
}

/** @type {Of['change']} */
export function change(changes, options = {}) {
	const { view, identifier, parameters } = place();
	go(address(view, { ...Object.fromEntries(parameters), ...changes }, identifier), options);
}
