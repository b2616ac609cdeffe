// The frame of the console: views, keys, the token.

import { askConsole, call, session, token } from './api.js';
import { forgetCatalog } from './catalog.js';
import { announce, button, byID, copy, field, h, input, put } from './dom.js';
import { address, go, place, views } from './place.js';
import { view as associations } from './associations.js';
import { view as changes } from './changes.js';
import { view as graph } from './graph.js';
import { view as link } from './link.js';
import { view as report } from './report.js';
import { view as routes } from './routes.js';
import { view as shortLinks } from './short-links.js';
import { view as users } from './users.js';

/** @type {Record<string, View>} */
const known = { link, routes, graph, associations, users, 'short-links': shortLinks, changes, report };

/** @type {{ name: string, view: Mounted } | undefined} */
let mounted;

/** Shows the view of the address. */
function show() {
	const { view, identifier, parameters } = place();
	const isNew = mounted?.name !== view;
	if (isNew || !mounted) {
		mounted = { name: view, view: known[view].mount(byID('main')) };
		document.title = `${known[view].title} – Waymark`;
		for (const item of byID('views').querySelectorAll('a')) {
			if (item.dataset.view === view) item.setAttribute('aria-current', 'page');
			else item.removeAttribute('aria-current');
		}
	}
	mounted.view.update(parameters, identifier);
}

/** Follows links of the console without reloading the page.
 * @type {Of['follow']} */
function follow(event) {
	if (event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
	const anchor = /** @type {Element} */ (event.target).closest('a');
	if (!anchor || anchor.target || anchor.origin !== location.origin || !/^\/console(\/|$)/.test(anchor.pathname) || anchor.classList.contains('skip')) return;
	event.preventDefault();
	const view = mounted?.name;
	go(anchor.href);
	if (mounted?.name !== view) byID('main').focus();
}

// Keys

const keyStorage = 'waymark-keys-off';
const keys = [
	['/', 'go to the link, or to the search'], ['Enter', 'resolve'], ['1 2 3 …', 'the level, the lowest first'],
	['← →', 'along the stack'], ['[ ]', 'along the trace'], ['c', 'copy the address of this view'], ['?', 'this list'],
];

/** @type {Of['press']} */
function press(event) {
	if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || localStorage.getItem(keyStorage) || document.querySelector('dialog[open]')) return;
	const target = /** @type {HTMLElement} */ (event.target);
	const isTyping = target.isContentEditable || target.matches('textarea, select, input:not([type=radio], [type=checkbox])');
	if (isTyping) return;
	if (event.key.startsWith('Arrow') && target.closest('input, [role=region], ol.screens, pre')) return;
	if (event.key === '/') (document.querySelector('#main input[type=search], #main input[type=text], #main textarea') ?? byID('main')).dispatchEvent(new Event('waymark:focus'));
	else if (event.key === 'c') copy(location.href, 'the address of this view');
	else if (event.key === '?') openHelp();
	else if (!mounted?.view.key?.(event)) return;
	event.preventDefault();
}

function openHelp() {
	const dialog = /** @type {HTMLDialogElement} */ (byID('help-dialog'));
	put(dialog, h('h2', { id: 'help-title' }, 'Keys'),
		h('dl.keys', keys.map(([key, text]) => h('div', h('dt', key.split(' ').map((one) => h('kbd', one))), h('dd', text)))),
		h('label.check', h('input', {
			type: 'checkbox', checked: !localStorage.getItem(keyStorage),
			onchange: (/** @type {Event} */ event) => {
				if (/** @type {HTMLInputElement} */ (event.target).checked) localStorage.removeItem(keyStorage);
				else localStorage.setItem(keyStorage, 'yes');
			},
		}), 'Single keys do this, unless you are typing'),
		h('form', { method: 'dialog' }, h('button.primary', 'Close')));
	dialog.showModal();
}

// The token

function openToken() {
	const dialog = /** @type {HTMLDialogElement} */ (byID('token-dialog'));
	const control = input('token', { type: 'password' });
	control.value = token.value;
	put(dialog, h('h2', { id: 'token-title' }, 'Token'),
		h('p', 'A service token, as ', h('code', 'waymark token create'), ' prints it, or a user’s own. It is stored in this tab only, for this server only.'),
		h('form', {
			method: 'dialog',
			onsubmit: () => { token.value = control.value.trim(); },
		}, field('Token', control), h('div.row', h('button.primary', 'Use it'),
			button('Forget it', () => { token.value = ''; dialog.close(); }),
			button('Cancel', () => dialog.close()))));
	dialog.showModal();
}

function showToken() {
	const button = byID('token-button');
	button.textContent = token.value ? 'Token set' : 'Token';
	button.classList.remove('wanted');
}

document.addEventListener('waymark:token', async () => {
	showToken();
	forgetCatalog();
	mounted = undefined;
	show();
	if (!token.value) return announce('The token is forgotten.');
	const status = await call('GET', '/v1/catalog').then((reply) => reply.status, () => 0);
	announce(!status ? 'The server did not answer.' : status === 401 ? 'The server rejects the token.' : 'The token is now in use.');
});
document.addEventListener('waymark:levels', () => {
	mounted = undefined;
	show();
});
document.addEventListener('waymark:unauthorized', () => {
	byID('token-button').textContent = token.value ? 'Token refused' : 'Token needed';
	byID('token-button').classList.add('wanted');
});

// The person

const placeKey = 'waymark-place';
/** @type {Record<string, string>} */
const faults = {
	denied: 'You gave up, or the provider denied you.',
	expired: 'It took over 10 minutes, or its answer came twice. Log in again.',
	provider: 'The provider does not answer as it should. The server’s log says more.',
	client: 'The provider refuses this server’s client id or secret.',
	token: 'The provider’s answer is not valid. The server’s log says why.',
	role: 'Your account has no role here. Ask the operator for one.',
	busy: 'Too many are logging in. Try again.',
};

/** Ends a login: goes back to the view where it began.
 * @type {Of['endLogin']} */
function endLogin(outcome) {
	history.replaceState(null, '', sessionStorage.getItem(placeKey) ?? '/console');
	sessionStorage.removeItem(placeKey);
	if (Object.hasOwn(faults, outcome)) refuse(faults[outcome]);
}

/** @type {Of['refuse']} */
function refuse(text) { byID('main').before(h('div.notice', { role: 'alert' }, h('h2', 'You are not logged in'), h('p', text))); }

async function showPerson() {
	const { canLogIn, name } = await session();
	byID('person-button').hidden = !canLogIn;
	byID('person-button').textContent = name ? `Log out ${name}` : 'Log in';
}

async function changePerson() {
	const { name } = await session();
	if (!name) sessionStorage.setItem(placeKey, location.href);
	const answer = await (name ? askConsole('DELETE', '/console/session') : askConsole('POST', '/console/login')).catch(() => /** @type {ConsoleAnswer} */ ({}));
	if (answer.location) location.assign(answer.location);
	else if (name) location.assign('/console');
	else refuse(answer.detail ?? 'The server did not answer.');
}

// The page

put(byID('views'), views.map((name) => h('li', h('a', { href: address(name), 'data-view': name }, known[name].title))));
byID('token-button').addEventListener('click', openToken);
byID('person-button').addEventListener('click', changePerson);
byID('help-button').addEventListener('click', openHelp);
document.addEventListener('click', follow);
document.addEventListener('keydown', press);
document.addEventListener('waymark:focus', (event) => {
	const target = /** @type {HTMLInputElement} */ (event.target);
	target.focus();
	target.select?.();
}, true);
document.addEventListener('waymark:place', show);
addEventListener('popstate', show);
showToken();
const outcome = place().parameters.get('login');
if (outcome) endLogin(outcome);
show();
showPerson();
call('GET', '/readyz').then(({ body }) => put(byID('footer'), `Waymark ${body.version ?? ''} · catalog ${body.catalogVersion ?? '?'} · ${location.host}`), () => undefined);
