import { Badge } from '../../parts/badge.tsx';
import type { ProductListItem } from '../../api/types.ts';

const TONES = { Active: 'ok', Draft: 'info', Archived: 'mute' } as const satisfies Record<ProductListItem['status'], string>;

export const ProductBadge = ({ status }: { readonly status: ProductListItem['status'] }) => (
  <Badge tone={TONES[status]}>{status}</Badge>
);

/** An amount as its currency is written. What is not a known currency is put behind it. */
export const priceText = (amount: number, currency: string): string => {
  try {
    return new Intl.NumberFormat(undefined, { style: 'currency', currency }).format(amount);
  } catch {
    // Not a currency of ISO 4217.
    return `${amount.toLocaleString()} ${currency}`;
  }
};

/** The first letters of its first two words, in place of a picture. */
export const Initials = ({ name }: { readonly name: string }) => (
  <span className="initials" aria-hidden>
    {name
      .split(/\s+/)
      .slice(0, 2)
      .map((word) => Array.from(word)[0]?.toUpperCase() ?? '')
      .join('')}
  </span>
);
