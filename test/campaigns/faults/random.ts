/** Numbers that a seed decides, and what is drawn by them. */
export interface Random {
  /** From [0, 1). */
  next(): number;
  /** A whole number from [0, below). */
  below(below: number): number;
  between(least: number, most: number): number;
  chance(probability: number): boolean;
  pick<T>(from: readonly T[]): T;
  shuffled<T>(of: readonly T[]): T[];
  /**
   * A generator of its own, so that what one part of the campaign draws changes nothing for the
   * others.
   */
  fork(name: string): Random;
}

const hashOf = (text: string): number => {
  let hash = 2166136261;
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 16777619);
  return hash;
};

/** mulberry32: the same numbers at every run. */
export const seeded = (seed: number): Random => {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t ^= t + Math.imul(t ^ (t >>> 7), 61 | t);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    below,
    between: (least, most) => least + next() * (most - least),
    chance: (probability) => next() < probability,
    pick: <T>(from: readonly T[]): T => from[below(from.length)] as T,
    shuffled: <T>(of: readonly T[]): T[] => {
      const list = [...of];
      for (let at = list.length - 1; at > 0; at -= 1) {
        const other = below(at + 1);
        [list[at], list[other]] = [list[other] as T, list[at] as T];
      }
      return list;
    },
    fork: (name) => seeded(seed ^ hashOf(name)),
  };
};
