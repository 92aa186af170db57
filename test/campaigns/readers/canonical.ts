import { createHash } from 'node:crypto';

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, sorted(inner)]));
};

/** Equal for all texts of one JSON value. The order of names and the spaces do not matter. */
export const canonical = (value: unknown): string => JSON.stringify(sorted(value));

export const digestOf = (content: string | Uint8Array): string => createHash('sha1').update(content).digest('base64');
