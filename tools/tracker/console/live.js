// Tells when something has moved: by the tracker's server-sent events, and by asking now and then while those do not
// come. Read with fetch, for EventSource cannot carry the token.

import {request} from './api.js';

const pollEvery = 3000;
const silence = 10000;  // the tracker says something every second
const retryAfter = 5000;

const wait = (time) => new Promise((done) => setTimeout(done, time));

/** Calls `moved` for every event; returns when they end, throws when they cannot be had. */
async function follow(moved, heard) {
  const stop = new AbortController();
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
  }
}

/** `moved` is called again and again, whatever happens; `streaming` with whether events come by themselves. */
export function startLive(moved, streaming) {
  let streams = false;
  const tell = (now) => { if (streams !== now) streaming(streams = now); };
  streaming(false);
  (async () => {
    for (;;) {
      try { await follow(moved, () => tell(true)); } catch { /* asked for by polling meanwhile */ }
      tell(false);
      await wait(retryAfter);
    }
  })();
  setInterval(() => { if (!streams && !document.hidden) moved(); }, pollEvery);
}
