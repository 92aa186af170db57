import { oneOf, present, text } from '../../api/search.ts';

export const STORE_STATUSES = ['Active', 'Inactive'] as const;

export const storesSearch = (given: Record<string, unknown>) =>
  present({ q: text(given, 'q'), status: oneOf(given, 'status', STORE_STATUSES), after: text(given, 'after') });

export type StoresSearch = ReturnType<typeof storesSearch>;
