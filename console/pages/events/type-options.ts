import { isPortal } from '../../api/client.ts';
import { MERCHANT_TYPES, TYPE_GROUPS } from '../subscriptions/event-types.ts';

const TYPES = TYPE_GROUPS.map(([, types]) => types)
  .filter((types) => !isPortal || types !== MERCHANT_TYPES)
  .flat();

const familyOf = (type: string): string => type.slice(0, type.indexOf('.'));

/** A family has more than one type: `product.*` is all of them. */
const families = [...new Set(TYPES.map(familyOf))].filter(
  (family) => TYPES.filter((type) => familyOf(type) === family).length > 1,
);

/** Filters for the list of events: a type, or all types with a prefix. */
export const TYPE_OPTIONS: readonly (readonly [pattern: string, name: string])[] = [
  ['', 'All types'],
  ...families.map((family) => [`${family}.*`, `All ${family} events`] as const),
  ...TYPES.map((type) => [type, type] as const),
];
