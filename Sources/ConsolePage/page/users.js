// Users: what is stored of each, what counts now, and what it was before. For admins.

import { call, problemCode, problemText } from './api.js';
import { levels } from './catalog.js';
import { announce, button, card, field, h, input, notice, pair, put, submit, table } from './dom.js';
import { address, change, go } from './place.js';

/** @type {View} */
export const view = {
	title: 'Users',
	mount(main) {
		const control = input('user-id', { maxlength: 256 });
		const content = h('div');
		put(main, h('h1', 'Users'), h('form.row', {
			onsubmit: submit(() => go(control.value ? address('users', {}, control.value) : address('users'))),
		}, field('User', control), h('button.primary', 'Look up'), h('a.button', { href: address('users') }, 'All users')), content);
		return {
			async update(parameters, identifier) {
				control.value = identifier;
				content.setAttribute('aria-busy', 'true');
				try {
					put(content, identifier ? await one(identifier, parameters.get('after') ?? '') : await list(parameters.get('after') ?? ''));
				} catch (error) {
					put(content, notice('The server did not answer', String(error)));
				}
				content.removeAttribute('aria-busy');
			},
		};
	},
};

/** @type {Of['refusal']} */
function refusal(problem) {
	return problemCode(problem) === 'insufficient-scope' || problemCode(problem) === 'authentication-required'
		? notice('For admins', problemText(problem)) : notice('No users', problemText(problem));
}

/** @type {Of['list']} */
async function list(after) {
	const query = new URLSearchParams({ limit: '50', ...(after && { after }) });
	/** @type {Reply<Answer & { users?: User[], next?: string }>} */
	const reply = await call('GET', `/v1/users?${query}`);
	if (!reply.ok) return refusal(reply.body);
	const users = reply.body.users ?? [];
	if (!users.length && !after) return notice('Nobody yet', 'No user has a stored level: everybody is of the level none. Look one up to store one.');
	return card('Users', [], table('Users', ['User', 'Counts now', 'Stored', 'Until', 'Changed'], users.map((user) => [
		h('a', { href: address('users', {}, user.id) }, user.id), user.currentLevel, user.authorizationLevel, time(user.validUntil), time(user.updatedAt),
	])), reply.body.next ? h('a.button', { href: address('users', { after: reply.body.next }) }, 'Further users') : null);
}

/** @type {Of['time']} */
function time(text) { return text ? h('time', { datetime: text }, text.replace('T', ' ').replace(/\.\d+Z$/, 'Z')) : '–'; }

/** @type {Of['one']} */
async function one(id, after) {
	const path = `/v1/users/${encodeURIComponent(id)}`;
	/** @type {Reply<User & Answer>} */
	const reply = await call('GET', path);
	const isNew = problemCode(reply.body) === 'unknown-user';
	if (!reply.ok && !isNew) return refusal(reply.body);
	const user = isNew ? undefined : reply.body;
	return h('div',
		card(id, [h('a.button', { href: address('link', { user: id }) }, 'Test a link as this user')],
			user ? h('dl.pairs', pair('Counts now', user.currentLevel), pair('Stored', user.authorizationLevel), pair('Until', time(user.validUntil)),
				pair('Afterwards', user.levelAfter ?? (user.validUntil ? 'one lower' : '–')), pair('Version', String(user.version)), pair('Changed', time(user.updatedAt)))
				: h('p', 'Nothing is stored of this user: the level is none.')),
		editor(path, user, reply.tag),
		await history(path, id, after));
}

/** Changes the level, if nobody has changed it since it was read.
 * @type {Of['editor']} */
function editor(path, user, tag) {
	const level = /** @type {HTMLSelectElement} */ (h('select', { id: 'new-level' }, levels.map((name) => h('option', { value: name, selected: name === user?.authorizationLevel }, name))));
	const until = input('until', { placeholder: '2027-01-01T00:00:00Z' });
	const after = /** @type {HTMLSelectElement} */ (h('select', { id: 'level-after' }, h('option', { value: '' }, 'one lower'), levels.map((name) => h('option', { value: name, selected: name === user?.levelAfter }, name))));
	until.value = user?.validUntil ?? '';
	const outcome = h('div', { role: 'status' });
	const save = async () => {
		const reply = await call('POST', path, {
			body: JSON.stringify({ authorizationLevel: level.value, ...(until.value && { validUntil: until.value, ...(after.value && { levelAfter: after.value }) }) }),
			headers: tag && user ? { 'If-Match': tag } : { 'If-None-Match': '*' },
		});
		if (reply.ok) {
			announce('Stored.');
			change({ after: null }, { replace: true });
			return;
		}
		const isStale = problemCode(reply.body) === 'version-mismatch';
		put(outcome, h('div.notice.bad', h('p', isStale
			? `412: somebody else changed this user meanwhile (version ${reply.body.version ?? 'unknown'}, here ${user?.version ?? 'none'}). Nothing was stored.` : problemText(reply.body)),
		isStale ? button('Read it again', () => change({}, { replace: true })) : null));
	};
	return card('Change', [], h('form.row', { onsubmit: submit(save) },
		field('Level', level), field('Until', until, 'RFC 3339; empty for ever.'), field('Afterwards', after), h('button.primary', 'Store')), outcome);
}

/** @type {Of['history']} */
async function history(path, id, after) {
	const query = new URLSearchParams({ limit: '20', ...(after && { after }) });
	/** @type {Reply<Answer & { history?: UserChange[], next?: string | number }>} */
	const reply = await call('GET', `${path}/history?${query}`);
	const rows = reply.body.history ?? [];
	if (!reply.ok || !rows.length) return null;
	return card('History', [], table('History', ['Version', 'Level', 'Until', 'Afterwards', 'At', 'By'], rows.map((row) => [
		String(row.version), row.authorizationLevel ?? 'deleted', time(row.validUntil), row.levelAfter ?? '–', time(row.at), row.by,
	])), reply.body.next !== undefined ? h('a.button', { href: address('users', { after: reply.body.next }, id) }, 'Further changes') : null);
}
