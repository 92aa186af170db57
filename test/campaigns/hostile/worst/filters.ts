import type { Operation } from '../support/operations.ts';
import { asAdmin, type Site } from '../support/site.ts';
import type { WorstHead } from './heads.ts';
import type { WorstBody } from './json-bodies.ts';

/** Stands for the id of a large event in a path. Each store has another. */
export const LARGE_EVENT = 'a large event';

const TYPE = 'order.paid';
const [CONDITIONS, VALUES, LARGE_EVENTS, SMALL_EVENTS, SUBSCRIPTIONS] = [20, 1_000, 4, 200, 50];

const all = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const any = (condition: (at: number) => object): object => ({ any: all(CONDITIONS, condition) });

/** Each asks for what no event has, so that it is judged to its end. */
const FILTERS: Readonly<Record<string, object>> = {
  'long texts, each with contains': any((at) => ({
    path: 'lines.text',
    op: 'contains',
    value: `${'x'.repeat(250)}${String(at)}`,
  })),
  'long texts, each with prefix': any((at) => ({ path: 'lines.text', op: 'prefix', value: `${'x'.repeat(250)}${String(at)}` })),
  'lists of 100 numbers': any(() => ({ path: 'numbers', op: 'in', value: all(100, (at) => -1 - at) })),
  'lists of 100 texts': any(() => ({ path: 'lines.text', op: 'in', value: all(100, (at) => `${'x'.repeat(250)}${String(at)}`) })),
  'a path each': any((at) => ({ path: `lines.field${String(at)}`, op: 'exists' })),
};

const largeEvent = { id: 'large', numbers: all(VALUES, (at) => at), lines: all(VALUES, () => ({ text: 'x'.repeat(850) })) };
const smallEvent = { id: 'small', numbers: all(VALUES, (at) => at % 10), lines: all(VALUES, () => ({})) };

/** Gives a store events that are much work to judge, and subscriptions that judge them. Returns a large one. */
export const fillWithFilters = async (site: Site, storeId: string): Promise<string> => {
  const ask = asAdmin(site);
  const at = `/admin/stores/${storeId}`;
  const filters = Object.values(FILTERS);
  for (let made = 0; made < SUBSCRIPTIONS; made += 1) {
    const hook = { url: 'https://hooks.example.com/costly', eventTypes: [TYPE], filter: filters[made % filters.length] };
    await ask('POST', `${at}/webhooks/subscriptions`, hook, { wanted: [200], makesSecrets: true });
  }
  let large = '';
  for (let made = 0; made < SMALL_EVENTS + LARGE_EVENTS; made += 1) {
    const data = made < SMALL_EVENTS ? smallEvent : largeEvent;
    const { body } = await ask('POST', `${at}/events`, { type: TYPE, data }, { wanted: [202] });
    large = (JSON.parse(body) as { eventId: string }).eventId;
  }
  return large;
};

type WorstRequest = WorstHead &
  Partial<WorstBody> & { readonly ids?: Readonly<Record<string, string>>; readonly contentType?: string };

const dryRuns = (): WorstRequest[] =>
  Object.entries(FILTERS).map(([what, filter]) => ({
    what: `a dry run of a filter: ${what}`,
    isShort: true,
    query: 'dryRun=1',
    contentType: 'application/json',
    body: () => JSON.stringify({ url: 'https://hooks.example.com/costly', eventTypes: [TYPE], filter }),
  }));

/** The product of the limits of filters, which no schema tells. */
export const filterRequests = ({ method, path }: Operation): readonly WorstRequest[] => {
  if (method === 'POST' && path.endsWith('/webhooks/subscriptions')) return dryRuns();
  return path === '/admin/stores/{storeId}/events/{eventId}'
    ? [{ what: 'an event that 50 filters judge', isShort: true, ids: { eventId: LARGE_EVENT } }]
    : [];
};
