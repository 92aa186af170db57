export interface Limits {
  readonly bulkProducts: number;
  readonly idempotencyKeySeconds: number;
  readonly secretOverlapSeconds: number;
  readonly accessTokenSeconds: number;
  readonly searchMs: number;
  readonly jsonBodyBytes: number;
  /** Days for which ended deliveries and media imports are kept. */
  readonly logDays: number;
}

const UNITS = [
  ['day', 86_400_000, 2],
  ['hour', 3_600_000, 1],
  ['minute', 60_000, 1],
  ['second', 1_000, 1],
  ['millisecond', 1, 1],
] as const;

/** `24 hours`, `90 minutes`: in the largest unit that divides it; days from two on. */
export const durationText = (ms: number): string => {
  const [unit, size] = UNITS.find(([, each, least]) => ms % each === 0 && ms >= least * each) ?? UNITS[4];
  return `${ms / size} ${unit}${ms === size ? '' : 's'}`;
};

const textsOf = (limits: Limits) => ({
  bulkProducts: limits.bulkProducts,
  idempotencyKey: durationText(limits.idempotencyKeySeconds * 1_000),
  secretOverlap: durationText(limits.secretOverlapSeconds * 1_000),
  accessTokenSeconds: limits.accessTokenSeconds,
  search: durationText(limits.searchMs),
  jsonBodyBytes: limits.jsonBodyBytes,
  log: durationText(limits.logDays * 86_400_000),
});

type Text = keyof ReturnType<typeof textsOf>;

/** Stands for a limit in a static text or schema, until `withLimits` writes the value. */
export const limit = (name: Text): string => `{{${name}}}`;

/** Returns a number for a schema, which JSON writes without quotes. */
export const numericLimit = (name: 'bulkProducts' | 'accessTokenSeconds'): number => limit(name) as unknown as number;

export const withLimits = <D extends object>(document: D, limits: Limits): D => {
  const texts: Readonly<Record<string, number | string>> = textsOf(limits);
  const valueOf = (_match: string, name: string): string => String(texts[name]);
  const text = JSON.stringify(document)
    .replace(/"\{\{(\w+)\}\}"/g, valueOf)
    .replace(/\{\{(\w+)\}\}/g, valueOf);
  return JSON.parse(text) as D;
};
