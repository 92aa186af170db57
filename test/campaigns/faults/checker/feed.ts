import type { EventRow, History, WalkHistory } from '../history.ts';
import { executionsOf, groupBy } from './events.ts';
import { dividedOf, isIn, lossesOf, type Loss } from './losses.ts';
import { violation, type Violation } from './violation.ts';

/** Types that the apps of the campaign may see with their scopes: write_products and read_orders. */
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

/** Between two 410 no event comes twice. */
const twiceIn = ({ pages, resets }: WalkHistory): string[] => {
  const ends = [...resets.map(({ pages: count }) => count), pages.length];
  return ends.flatMap((end, at) => {
    const seen = groupBy(
      pages.slice(at === 0 ? 0 : ends[at - 1], end).flatMap(({ ids }) => ids),
      (id) => id,
    );
    return [...seen].filter(([, times]) => times.length > 1).map(([id]) => id);
  });
};

/**
 * True when the reader was rightly informed that the history of its position was lost: the failover
 * lost commits, or the position was read from an old primary that nobody stopped. A commit that
 * waits there for its standby is shown once its connection ends.
 */
const isRightlyReset = (
  { pages }: WalkHistory,
  { reason, pages: before }: WalkHistory['resets'][number],
  losses: readonly Loss[],
  divided: readonly Loss[],
): boolean => reason === 'history_changed' && (losses.length > 0 || isIn(pages[before - 1]?.at ?? Infinity, divided));

const checkWalk = (
  walk: WalkHistory,
  since: number,
  events: ReadonlyMap<string, EventRow>,
  { losses, divided }: Readonly<Record<'losses' | 'divided', readonly Loss[]>>,
): Violation[] => {
  const about = `the walk of ${walk.installationId}`;
  const { pages, resets } = walk;
  const seen = new Set(pages.flatMap(({ ids }) => ids));
  const expected = [...events.values()].filter((event) => isFor(walk, since, event));
  const lost = expected.filter(({ id }) => !seen.has(id));
  const expectedIds = new Set(expected.map(({ id }) => id));
  const walked = [...seen].flatMap((id) => events.get(id) ?? []);
  // The reader was informed later that the history of the page was lost.
  const lastReset = resets.at(-1)?.pages ?? 0;
  const judged = pages.filter(({ at }, place) => place >= lastReset || !isIn(at, [...losses, ...divided]));
  const differs = judged.filter(({ ids: of, text, next, more }) => {
    const bodies = of.map((id) => events.get(id)?.body ?? '');
    return text !== `{"items":[${bodies.join(',')}],"next":${JSON.stringify(next)},"more":${String(more)}}`;
  });
  const wrong = resets.filter((reset) => !isRightlyReset(walk, reset, losses, divided));
  return [
    ...lost.map(({ id, type }) => violation('feed lost', about, `${type} ${id} is not in it`)),
    ...wrong.map(({ reason }) => violation('feed lost', about, `it was interrupted with ${reason}`)),
    ...twiceIn(walk).map((id) => violation('feed twice', about, `event ${id} is in it twice`)),
    ...judged
      .flatMap(({ ids }) => ids)
      .filter((id) => !expectedIds.has(id))
      .map((id) => violation('feed shows too much', about, `event ${id} is not recorded, or not for this app`)),
    ...differs.map((page) => violation('feed shows too much', about, `a page of ${page.ids.length} events has other bytes`)),
    ...checkOrder(walked, about),
  ];
};

/** Every walk has each event that its app may see exactly once, in order, with its recorded bytes. */
export const checkFeed = (
  history: Pick<History, 'walks' | 'failovers'>,
  events: readonly EventRow[],
  installedAt: ReadonlyMap<string, number>,
): Violation[] => {
  const byId = new Map(events.map((event) => [event.id, event]));
  const unsure = { losses: lossesOf(history), divided: dividedOf(history) };
  return history.walks.flatMap((walk) => checkWalk(walk, installedAt.get(walk.installationId) ?? 0, byId, unsure));
};
