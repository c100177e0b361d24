// to_json.mjs FILE: a YAML file as JSON, merge keys carried out.
import fs from 'node:fs';
import { parse } from 'yaml';

console.log(JSON.stringify(parse(fs.readFileSync(process.argv[2], 'utf8'), { merge: true })));
