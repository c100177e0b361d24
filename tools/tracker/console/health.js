// How things stand at large: asked once for all views, said in a line nobody can overlook when somebody is needed.

import {get} from './api.js';
import {byId, element, link, say} from './dom.js';
import {morphChildren} from './morph.js';
import {age, setNow, span} from './time.js';
import {plural, sagasHref} from './words.js';

const lagWorthSaying = 5000;

let overview = null;
let heardAt = 0;
let silent = null;  // why, while the tracker does not answer

export const latest = () => overview;
export const stuckIn = (view) => Object.values(view.sagas).reduce((sum, saga) => sum + (saga.states.STUCK || 0), 0);

export function rebuildShare(rebuild) {
  return rebuild.until === 0 ? 100 : Math.min(100, Math.floor(100 * rebuild.sequence / rebuild.until));
}

function complaints() {
  const found = [];
  const bad = (...children) => found.push(element('p', {class: 'bad'}, '✖ ', ...children));
  const warn = (...children) => found.push(element('p', {class: 'warn'}, '▲ ', ...children));
  if (silent) bad('The tracker does not answer (', silent, '). ',
                  overview ? 'What is shown is ' + span(Date.now() - heardAt) + ' old.' : 'Nothing can be shown.');
  if (!overview) return found;
  const {tracker} = overview;
  if (!silent && !tracker.broker) bad('The broker does not answer the tracker: what is shown stands still.');
  if (!silent && !tracker.database) bad('The tracker’s database does not answer.');
  const stuck = stuckIn(overview);
  if (stuck > 0) bad(link(sagasHref({state: 'STUCK'}), plural(stuck, 'saga is', 'sagas are') + ' STUCK'), ' and will not go on without somebody.');
  if (tracker.lag_ms > lagWorthSaying) warn('The tracker is ' + span(tracker.lag_ms) + ' behind.');
  if (tracker.rebuild) warn('The tracker is being rebuilt: ' + rebuildShare(tracker.rebuild) + ' %, begun ', age(tracker.rebuild.started_at), ' ago.');
  return found;
}

function show() {
  const alarm = byId('alarm');
  const found = complaints();
  morphChildren(alarm, found);
  alarm.hidden = found.length === 0;
  // Without the numbers that change by themselves: a screen reader hears what is new, once.
  const words = found.map((one) => one.textContent).filter((text) => !text.includes('rebuilt')).join(' ');
  say(words.replace(/\d+ (s|min|h|d) (old|behind)/g, '$2'));
}

export async function look() {
  try {
    overview = await get('/api/overview');
    setNow(overview.now);
    heardAt = Date.now();
    silent = null;
  } catch (error) {
    silent = error.message;
  }
  show();
}
