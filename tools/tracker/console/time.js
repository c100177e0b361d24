// Times are shown as ages, which is what somebody wants to know; the exact time is the title.

import {element} from './dom.js';

let ahead = 0;  // the tracker's clock beside ours, in milliseconds

export const setNow = (text) => { ahead = Date.parse(text) - Date.now(); };
export const now = () => Date.now() + ahead;

export function span(milliseconds) {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 100) return seconds + ' s';
  if (seconds < 100 * 60) return Math.floor(seconds / 60) + ' min';
  if (seconds < 48 * 3600) return Math.floor(seconds / 3600) + ' h';
  return Math.floor(seconds / 86400) + ' d';
}

function ageText(at) {
  const age = now() - Date.parse(at);
  return age < -999 ? 'in ' + span(-age) : span(age);
}

export function exact(text) {
  const date = new Date(text);
  return date.toLocaleString(undefined, {dateStyle: 'medium', timeStyle: 'medium'}) + ' (' + text + ')';
}

/** Nothing for no time. */
export function age(at) {
  if (!at) return null;
  return element('time', {datetime: at, title: exact(at), class: 'age'}, ageText(at));
}

export function clock(at) {
  return element('time', {datetime: at, title: exact(at)}, new Date(at).toLocaleTimeString(undefined, {fractionalSecondDigits: 3}));
}

/** Ages go on while nothing else moves. */
export function startAges() {
  setInterval(() => {
    for (const time of document.querySelectorAll('time.age')) {
      const text = ageText(time.dateTime);
      if (time.textContent !== text) time.textContent = text;
    }
  }, 1000);
}
