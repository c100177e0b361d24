// Tells when something has moved: by the tracker's server-sent events, and by asking now and then. Read with fetch, for
// EventSource cannot carry the token. A page nobody sees gives its connection back: a browser has six for one host.

import {request} from './api.js';

const askEvery = 3000;      // while no events come
const lookAnyway = 6000;    // for what makes no event: a broker that is away, a participant that falls silent
const silence = 10000;      // the tracker says something every second
const tryAgainAfter = 5000;

const wait = (time) => new Promise((done) => setTimeout(done, time));
const seen = () => document.hidden ? new Promise((done) => addEventListener('visibilitychange', done, {once: true})) : null;

/** Calls `moved` for every event; returns when they end, throws when they cannot be had. */
async function follow(moved, heard) {
  const stop = new AbortController();
  const hide = () => { if (document.hidden) stop.abort(); };
  addEventListener('visibilitychange', hide);
  let deadline = setTimeout(() => stop.abort(), silence);
  try {
    const response = await request('/api/moves', {signal: stop.signal});
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (;;) {
      const {value, done} = await reader.read();
      if (done) return;
      heard();
      clearTimeout(deadline);
      deadline = setTimeout(() => stop.abort(), silence);
      const events = (rest + value).split('\n\n');
      rest = events.pop();
      if (events.some((event) => event.startsWith('event: moved'))) moved();
    }
  } finally {
    clearTimeout(deadline);
    removeEventListener('visibilitychange', hide);
  }
}

/** `moved` is called again and again, whatever happens; `streaming` with whether events come by themselves. */
export function startLive(moved, streaming) {
  let streams = null;
  let asked = Date.now();
  const tell = (now) => { if (streams !== now) streaming(streams = now); };
  const ask = () => { asked = Date.now(); moved(); };
  tell(false);
  (async () => {
    for (;;) {
      await seen();
      try { await follow(ask, () => tell(true)); } catch { /* asked for meanwhile */ }
      tell(false);
      if (!document.hidden) await wait(tryAgainAfter);
    }
  })();
  setInterval(() => { if (!document.hidden && Date.now() - asked >= (streams ? lookAnyway : askEvery)) ask(); }, 1000);
}
