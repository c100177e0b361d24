// Questions to the tracker.

import {askForToken, token} from './token.js';

export class Refused extends Error {
  constructor(status, title, detail) {
    super(detail ? title + ': ' + detail : title);
    this.status = status;
  }
}

function headers(more) {
  const said = token();
  return said ? {...more, Authorization: 'Bearer ' + said} : {...more};
}

async function explain(response) {
  let problem = {};
  try { problem = await response.json(); } catch { /* no JSON: the status has to do */ }
  return new Refused(response.status, problem.title || 'HTTP ' + response.status, problem.detail || '');
}

/** A response, or Refused. `TypeError` where the tracker does not answer at all. */
export async function request(path, options = {}) {
  const send = () => fetch(path, {...options, headers: headers(options.headers), cache: 'no-store', redirect: 'error'});
  let response = await send();
  if (response.status === 401 && await askForToken(token() ? 'This is not the tracker’s token.' : 'This tracker answers nobody without its token.')) response = await send();
  if (!response.ok) throw await explain(response);
  return response;
}

export const get = async (path) => (await request(path)).json();

export async function post(path, body) {
  return (await request(path, {method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(body)})).json();
}

/** A drawing as an element of this page, which has its style. */
export function getDrawing(path) {
  return new Promise((done, failed) => {
    // Parsed by the browser as the document it is: text made markup here would be one more way in.
    const asked = new XMLHttpRequest();
    asked.open('GET', path);
    asked.responseType = 'document';
    for (const [name, value] of Object.entries(headers({}))) asked.setRequestHeader(name, value);
    asked.onload = () => {
      if (asked.status === 200 && asked.responseXML) done(document.importNode(asked.responseXML.documentElement, true));
      else failed(new Refused(asked.status, 'No drawing', 'HTTP ' + asked.status));
    };
    asked.onerror = () => failed(new TypeError('the tracker does not answer'));
    asked.send();
  });
}

/** A query of what is not empty. A list gives its name several times. */
export function query(parameters) {
  const made = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters))
    for (const one of Array.isArray(value) ? value : [value]) if (one) made.append(name, one);
  const text = made.toString();
  return text ? '?' + text : '';
}
