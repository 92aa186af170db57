import { plural } from '../values/plural.ts';

export const IMPACT_UNITS = ['deliveries', 'receivers', 'requests', 'imports', 'images', 'seconds', 'keys'] as const;
export type ImpactUnit = (typeof IMPACT_UNITS)[number];

const ONE: Readonly<Record<ImpactUnit, string>> = {
  deliveries: 'delivery',
  receivers: 'receiver',
  requests: 'request',
  imports: 'import',
  images: 'image',
  seconds: 'second',
  keys: 'key',
};

export const impactText = ({ count, of }: { readonly count: number; readonly of: ImpactUnit }): string =>
  plural(count, ONE[of], of, String(count));
