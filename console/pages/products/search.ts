import { oneOf, present, text } from '../../api/search.ts';
import type { ProductListItem } from '../../api/types.ts';

export const PRODUCT_STATUSES = ['Active', 'Draft', 'Archived'] as const satisfies readonly ProductListItem['status'][];

const TABS = ['details', 'json'] as const;

export const productsSearch = (given: Record<string, unknown>) =>
  present({ q: text(given, 'q'), status: oneOf(given, 'status', PRODUCT_STATUSES), skip: text(given, 'skip') });

export type ProductsSearch = ReturnType<typeof productsSearch>;

export const productSearch = (given: Record<string, unknown>) => present({ tab: oneOf(given, 'tab', TABS) });

/** `after`: where a page of the imports before begins. */
export const importSearch = (given: Record<string, unknown>) => present({ after: text(given, 'after') });
