import type { Attention } from '../../api/types.ts';

const HOUR_MS = 3_600_000;

/** Of any time: the list is filtered by when they were created, which may be days before they failed. */
export const failedPlace = (storeId: string) =>
  ({ to: '/stores/$storeId/deliveries', params: { storeId }, search: { status: ['Failed'] } }) as const;

type Refusals = Pick<Attention['refusals'][number], 'check' | 'reason'>;

/** What was refused in the hour that was counted. */
export const refusedPlace = (storeId: string, { check, reason }: Refusals, checkedAt: string) => {
  const since = new Date(Date.parse(checkedAt) - HOUR_MS).toISOString();
  return { to: '/stores/$storeId/requests', params: { storeId }, search: { check, reason, since } } as const;
};
