/** Lengths of a cut UUID: its first two groups are the millisecond of an id that Tenon makes. */
const LENGTHS = [13, 18, 23];

/** The least that each of these ids begins with and no other does. Every command takes it in place of the whole id. */
export const shortIdLength = (ids: readonly string[]): number => {
  const distinct = new Set(ids);
  return LENGTHS.find((length) => new Set([...distinct].map((id) => id.slice(0, length))).size === distinct.size) ?? 36;
};
