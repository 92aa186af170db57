import type { Delivery, FeedEvent, RefusedRequest, WatchedSubscription } from '../../http/answers.ts';
import { cursorOf } from '../../http/kit/page.ts';
import { isoTime } from '../../../domain/time.ts';
import { parseUuid } from '../../../domain/values/uuid.ts';
import { CommandFailure, EXIT } from '../failure.ts';
import type { AdminApi } from './admin-api.ts';
import { withIdPrefix, isIdPrefix, type Named } from './id-prefix.ts';
import { all, findStore, pages } from './find.ts';
import { firstItems } from './lists.ts';

/** The most ids of one moment that are compared. */
const MOST = 5_000;
/** The clocks of the nodes and of the database may differ. */
const SLACK_MS = 5_000;

interface Times {
  readonly from: number;
  readonly until: number;
}

/** When an id that begins so was made: it begins with its millisecond. Null for a time that is still to come. */
const timesOf = (text: string): Times | null => {
  const digits = text.replaceAll('-', '').slice(0, 12);
  const [from, until] = ['0', 'f'].map((digit) => Number.parseInt(digits.padEnd(12, digit), 16)) as [number, number];
  if (from > Date.now() + SLACK_MS) return null;
  return { from: Math.max(0, from - SLACK_MS), until: Math.min(until, Date.now()) + SLACK_MS };
};

interface Kind {
  readonly name: string;
  readonly list: (api: AdminApi, storeId: string, times: Times, text: string) => Promise<readonly Named[]>;
}

/** The id that a person gave as a whole, or by its beginning in the store that they mean. */
const idIn =
  ({ name, list }: Kind) =>
  async (api: AdminApi, text: string, store: string | undefined): Promise<string> => {
    const id = parseUuid(text);
    if (id !== null) return id;
    const times = isIdPrefix(text) ? timesOf(text) : null;
    const found = times && withIdPrefix(await list(api, (await findStore(api, store)).id, times, text), text);
    if (!found) throw new CommandFailure(`There is no ${name} ${text}.`, EXIT.notFound);
    return found.id;
  };

const since = ({ from, until }: Times) => ({ since: isoTime(from), until: isoTime(until) });

export const findDeliveryId = idIn({
  name: 'delivery',
  list: (api, storeId, times) => firstItems<Delivery>(api, `/stores/${storeId}/deliveries`, since(times), MOST),
});

export const eventId = idIn({
  name: 'event',
  list: (api, storeId, times) =>
    firstItems<FeedEvent>(api, `/stores/${storeId}/events`, { order: 'newest', ...since(times) }, MOST),
});

const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

export const requestId = idIn({
  name: 'refused request',
  list: (api, storeId, { from, until }) => {
    const query = { since: isoTime(from), after: cursorOf({ at: until, id: LAST }) };
    return firstItems<RefusedRequest>(api, `/stores/${storeId}/requests`, query, MOST);
  },
});

export const subscriptionId = idIn({
  name: 'subscription',
  list: (api, storeId, _times, q) => all(pages<WatchedSubscription>(api, `/stores/${storeId}/subscriptions`, { q })),
});
