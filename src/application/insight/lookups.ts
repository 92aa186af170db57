import type { Caller } from '../../domain/identity/caller.ts';
import { figureRange, type Step } from '../../domain/insight/figures.ts';
import { pageByPlace, type PlacedPageQuery } from '../../domain/place.ts';
import type { Ports } from '../../domain/ports/index.ts';
import type { RefusalFilter } from '../../domain/ports/insight/request-log.ts';
import { orNotFound, notFound, ok } from '../../domain/result.ts';

/** Requests that one look groups, and groups of one answer. */
const GROUPED = { read: 50_000, take: 250 } as const;

export interface WantedFigures {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly step: Step;
}

type LookupPorts = Pick<Ports, 'clock' | 'figures' | 'keyLog' | 'locator' | 'requestLog'>;

export const insightLookups = ({ clock, figures, keyLog, locator, requestLog }: LookupPorts) => ({
  getKeyLife: orNotFound('Idempotency key', async (named: { installationId: string; key: string }) => {
    const storeId = await locator.storeOf('installation', named.installationId);
    return storeId === null ? null : keyLog.get({ storeId, ...named });
  }),
  /** Life of one of the caller's own keys. */
  getOwnKeyLife: orNotFound('Idempotency key', ({ storeId, installationId }: Caller, key: string) =>
    keyLog.get({ storeId, installationId, key }),
  ),
  /** A refused request of the app itself. Another's does not exist for it. */
  getOwnRefusal: orNotFound('Refused request', async ({ storeId, installationId }: Caller, id: string) => {
    const refusal = await requestLog.get(storeId, id);
    return refusal?.installationId === installationId ? refusal : null;
  }),
  /** A refused request, by the id that X-Request-Id gave it. */
  getRefusal: orNotFound('Refused request', async (id: string) => {
    const storeId = await locator.storeOf('request', id);
    return storeId === null ? null : requestLog.get(storeId, id);
  }),
  getStats: async (storeId: string, wanted: WantedFigures) => {
    const range = figureRange(wanted, clock.now());
    if (!range.ok) return range;
    const steps = await figures.read(storeId, range.value);
    return steps ? ok({ ...range.value, steps }) : notFound('Store');
  },
  /** Groups refused requests by app, route and reason. */
  groupRefusals: orNotFound('Store', (storeId: string, filter: RefusalFilter) => requestLog.groups(storeId, filter, GROUPED)),
  listRefusals: orNotFound('Store', (storeId: string, filter: RefusalFilter, query: PlacedPageQuery) =>
    pageByPlace(query, (page) => requestLog.list(storeId, filter, page), 'at'),
  ),
});
