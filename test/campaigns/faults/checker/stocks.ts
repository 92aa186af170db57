import type { History, Rows, StockHistory, StockRow } from '../history.ts';
import { FIRST_STOCK } from '../workload/shop.ts';
import { groupBy } from './events.ts';
import { checkProtocol, finalAnswers } from './keys.ts';
import { violation, type Violation } from './violation.ts';

interface Answered {
  readonly results?: readonly { readonly status: string; readonly errorCode: string | null }[];
}

interface Booking {
  readonly variant: string;
  /** Null where nothing says whether it was made: the key was never answered, which another rule reports. */
  readonly by: number | null;
}

const variantOf = ({ storeId, sku }: Pick<StockRow, 'storeId' | 'sku'>): string => `${storeId}/${sku}`;

/** Reads each adjustment in the answer to a key: it was made, or the stock was too small. */
const bookingsOf = (one: StockHistory): { readonly bookings: Booking[]; readonly faults: Violation[] } => {
  const [answer] = finalAnswers(one);
  const { results = [] } = answer?.status === 200 ? (JSON.parse(answer.body) as Answered) : {};
  const faults: Violation[] = [];
  const bookings = one.adjustments.map(({ sku, by }, at): Booking => {
    const variant = variantOf({ storeId: one.storeId, sku });
    if (!answer) return { variant, by: null };
    const result = results[at];
    if (result?.status === 'Updated') return { variant, by };
    if (result?.errorCode !== 'would_be_negative')
      faults.push(violation('not expected', one.key, `${String(answer.status)}, and ${sku} is ${JSON.stringify(result)}`));
    return { variant, by: 0 };
  });
  return { bookings, faults };
};

/** The books of all variants: not one adjustment is lost, and none is made twice. */
const checkBooks = (bookings: readonly Booking[], stocks: readonly StockRow[]): Violation[] => {
  const stored = new Map(stocks.map((row) => [variantOf(row), row.available]));
  return [...groupBy(bookings, ({ variant }) => variant)].flatMap(([variant, own]) => {
    if (own.some(({ by }) => by === null)) return [];
    const booked = own.reduce((sum, { by }) => sum + (by ?? 0), FIRST_STOCK);
    const available = stored.get(variant);
    return available === booked
      ? []
      : [
          violation(
            'stock differs',
            variant,
            `it is ${String(available)}, and ${String(booked)} by ${String(own.length)} adjustments`,
          ),
        ];
  });
};

/** Each key of a stock adjustment, and the stock that they lead to. `limit` in milliseconds. */
export const checkStocks = (history: History, { stocks }: Rows, limit: number): Violation[] => {
  const read = history.stocks.map(bookingsOf);
  return [
    ...read.flatMap(({ faults }) => faults),
    ...checkBooks(
      read.flatMap(({ bookings }) => bookings),
      stocks,
    ),
    ...history.stocks.flatMap((one) => checkProtocol(one, history, limit)),
  ];
};
