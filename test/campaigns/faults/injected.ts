/**
 * The faults that landed, and those that were tried and did not: by kind, and those at a named
 * point by it.
 */
export interface Injected {
  readonly kinds: Map<string, number>;
  readonly points: Map<string, number>;
  readonly missed: Map<string, number>;
}

export const nothingInjected = (): Injected => ({ kinds: new Map(), points: new Map(), missed: new Map() });

export const count = (map: Map<string, number>, name: string, by = 1): void => void map.set(name, (map.get(name) ?? 0) + by);

export const total = (map: ReadonlyMap<string, number>, applies: (name: string) => boolean = () => true): number =>
  [...map].reduce((sum, [name, n]) => sum + (applies(name) ? n : 0), 0);
