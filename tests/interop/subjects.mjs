export const lanes = 16;

/** FNV-1a 32 of the key modulo the number of lanes. */
export function laneOf(key) {
  let hash = 2166136261;
  for (const byte of Buffer.from(key)) hash = Math.imul(hash ^ byte, 16777619) >>> 0;
  return hash % lanes;
}

export const eventSubject = (key, context, aggregate, event) => `evt.${laneOf(key)}.${context}.${aggregate}.${event}`;
