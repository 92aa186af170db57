import { parseKey } from '../../domain/idempotency/idempotency.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import { covers } from '../../domain/identity/scope.ts';
import { spanOf, type Found, MAX_FOUND } from '../../domain/insight/found.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok, refuse, type Result } from '../../domain/result.ts';
import { parseUuid } from '../../domain/values/uuid.ts';
import { visibleTypes } from '../../domain/webhooks/feed.ts';

/** Finds an id or a text in the store. `unavailable` when the search takes too long. */
export const search =
  ({ finder, ids }: Pick<Ports, 'finder' | 'ids'>) =>
  async (storeId: string, text: string): Promise<Result<readonly Found[], 'not_found' | 'unavailable'>> => {
    const id = parseUuid(text);
    const eventId = id ?? ids.named(storeId, text);
    const found = await finder.find(storeId, { text, id, eventId, requested: id === null ? null : spanOf(id) });
    if (found === 'slow') return refuse('unavailable', 'The search took too long. Try again.');
    return found ? ok(found) : notFound('Store');
  };

type SearchPorts = Pick<Ports, 'deliveryLog' | 'eventFeed' | 'ids' | 'keyLog' | 'requestLog' | 'subscriptions'>;

/** Limits every look-up below to `installationId`. */
interface Own extends Caller {
  readonly text: string;
  /** The text as a UUID. Null when it is not one. */
  readonly id: string | null;
}

const event = async ({ eventFeed, ids }: SearchPorts, own: Own): Promise<readonly Found[]> => {
  const { storeId, installationId, scopes, text } = own;
  const eventId = own.id ?? ids.named(storeId, text);
  const found = await eventFeed.get({ storeId, installationId, types: visibleTypes(scopes) }, eventId);
  if (found === null) return [];
  const { id, type, timestamp } = JSON.parse(found.body) as Readonly<Record<'id' | 'type' | 'timestamp', string>>;
  return [{ kind: 'event', id, title: type, at: timestamp, installationId: found.origin }];
};

/** The delivery with this id, and the newest about a resource with it. */
const deliveries = async ({ deliveryLog }: SearchPorts, own: Own): Promise<readonly Found[]> => {
  const { storeId, installationId, id, text } = own;
  if (!covers(own.scopes, 'read_webhooks')) return [];
  const [named, about] = await Promise.all([
    id === null ? null : deliveryLog.get(storeId, id),
    deliveryLog.list(storeId, { installationId, resourceId: text }, { after: null, take: MAX_FOUND }),
  ]);
  const all = [...(named?.installationId === installationId ? [named] : []), ...(about?.items ?? [])];
  return all.map((one) => ({ kind: 'delivery', id: one.id, title: one.eventType, at: one.createdAt, installationId }));
};

const request = async ({ requestLog }: SearchPorts, { storeId, installationId, id }: Own): Promise<readonly Found[]> => {
  const found = id === null ? null : await requestLog.get(storeId, id);
  if (found?.installationId !== installationId) return [];
  return [{ kind: 'request', id: found.id, title: `${String(found.status)} ${found.route}`, at: found.at, installationId }];
};

const key = async ({ keyLog }: SearchPorts, { storeId, installationId, text }: Own): Promise<readonly Found[]> => {
  const life = parseKey(text) === text ? await keyLog.get({ storeId, installationId, key: text }) : null;
  return life === null ? [] : [{ kind: 'key', id: text, title: text, at: life.firstAt, installationId }];
};

const receivers = async ({ subscriptions }: SearchPorts, own: Own): Promise<readonly Found[]> => {
  const { storeId, installationId, text } = own;
  if (!covers(own.scopes, 'read_webhooks')) return [];
  const page = { skip: 0, take: MAX_FOUND };
  const found = await subscriptions.watch(storeId, page, { installationId, q: text });
  return (found?.items ?? []).map(({ id, url, createdAt }) => ({
    kind: 'subscription',
    id,
    title: url,
    at: createdAt,
    installationId,
  }));
};

const LOOKS = [event, deliveries, request, key, receivers] as const;

/**
 * Finds an id or a text for one app: its events as far as its scopes allow, its deliveries, refused
 * requests, keys and subscriptions.
 */
export const searchOwn =
  (ports: SearchPorts) =>
  async (caller: Caller, text: string): Promise<readonly Found[]> => {
    const own: Own = { ...caller, text, id: parseUuid(text) };
    const found = await Promise.all(LOOKS.map((look) => look(ports, own)));
    return found.flat().slice(0, MAX_FOUND);
  };
