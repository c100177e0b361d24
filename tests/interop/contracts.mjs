import { existsSync } from 'node:fs';
import { join } from 'node:path';
import protobuf from 'protobufjs';

/** Reads message types from the contracts themselves. What only the checker reads (options) is left out. */
export function declare(folder, ...names) {
  const root = new protobuf.Root();
  root.resolvePath = (from, path) => {
    const file = path.startsWith('/') ? path : join(folder, path);
    return path.startsWith('quadrille/') || path.startsWith('google/') || !existsSync(file) ? null : file;
  };
  for (const name of names) {
    const parts = name.split('.');
    const [context] = parts.slice(-3);
    root.loadSync(join(folder, ...parts.slice(0, -1), `${context}_events.proto`));
  }
  return names.map((name) => root.lookupType(name));
}
