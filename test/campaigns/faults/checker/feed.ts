import type { EventRow, History, WalkHistory } from '../history.ts';
import { executionsOf, groupBy } from './events.ts';
import { violation, type Violation } from './violation.ts';

/** What the apps of the campaign may see with their scopes: write_products and read_orders. */
const VISIBLE = /^(product|inventory|media|order)\./;

const isFor = (
  { storeId, installationId }: WalkHistory,
  since: number,
  { type, origin, createdAt, ...event }: EventRow,
): boolean =>
  event.storeId === storeId &&
  VISIBLE.test(type) &&
  createdAt >= since &&
  (!type.startsWith('media.') || origin === null || origin === installationId);

/** The changes of each product begin where the one before ended, in the order of the walk. */
const checkOrder = (walked: readonly EventRow[], about: string): Violation[] => {
  const byProduct = groupBy(executionsOf(walked), ({ productId }) => productId);
  return [...byProduct].flatMap(([productId, executions]) =>
    executions.flatMap(({ eventId, previous }, at) => {
      const before = executions[at - 1]?.mark ?? null;
      return previous === before
        ? []
        : [violation('feed out of order', about, `event ${eventId} of product ${productId} does not follow the one before it`)];
    }),
  );
};

const checkWalk = (walk: WalkHistory, since: number, events: ReadonlyMap<string, EventRow>): Violation[] => {
  const about = `the walk of ${walk.installationId}`;
  const seen = groupBy(
    walk.pages.flatMap(({ ids }) => ids),
    (id) => id,
  );
  const expected = [...events.values()].filter((event) => isFor(walk, since, event));
  const lost = expected.filter(({ id }) => !seen.has(id));
  const ids = new Set(expected.map(({ id }) => id));
  const walked = [...seen.keys()].flatMap((id) => events.get(id) ?? []);
  const differs = walk.pages.filter(({ ids: of, text, next, more }) => {
    const bodies = of.map((id) => events.get(id)?.body ?? '');
    return text !== `{"items":[${bodies.join(',')}],"next":${JSON.stringify(next)},"more":${String(more)}}`;
  });
  return [
    ...lost.map(({ id, type }) => violation('feed lost', about, `${type} ${id} is not in it`)),
    ...[...seen].flatMap(([id, times]) =>
      times.length > 1 ? [violation('feed twice', about, `event ${id} is in it ${times.length} times`)] : [],
    ),
    ...[...seen.keys()].flatMap((id) =>
      ids.has(id) ? [] : [violation('feed shows too much', about, `event ${id} is not recorded, or not for this app`)],
    ),
    ...differs.map((page) => violation('feed shows too much', about, `a page of ${page.ids.length} events has other bytes`)),
    ...checkOrder(walked, about),
  ];
};

/** Every walk has each event that its app may see exactly once, in order, with its recorded bytes. */
export const checkFeed = (
  { walks }: Pick<History, 'walks'>,
  events: readonly EventRow[],
  installedAt: ReadonlyMap<string, number>,
): Violation[] => {
  const byId = new Map(events.map((event) => [event.id, event]));
  return walks.flatMap((walk) => checkWalk(walk, installedAt.get(walk.installationId) ?? 0, byId));
};
