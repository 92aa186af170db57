import type { Attention } from '../../api/types.ts';

const HOUR_MS = 3_600_000;

/** The range is open: the list is filtered by creation, which may be days before the failure. */
export const failedPlace = (storeId: string) =>
  ({ to: '/stores/$storeId/deliveries', params: { storeId }, search: { status: ['Failed'] } }) as const;

type Refusals = Pick<Attention['refusals'][number], 'check' | 'reason'>;

/** Links to the refused requests of the counted hour. */
export const refusedPlace = (storeId: string, { check, reason }: Refusals, checkedAt: string) => {
  const since = new Date(Date.parse(checkedAt) - HOUR_MS).toISOString();
  return { to: '/stores/$storeId/requests', params: { storeId }, search: { check, reason, since } } as const;
};
