import { MAX_SANDBOX_RECORDS } from '../../../src/domain/identity/sandbox.ts';
import type { SandboxRecords } from '../../../src/domain/ports/identity/sandbox-records.ts';
import { keysOf } from '../idempotency/key-tables.ts';
import { importsOf } from '../media/media-import-tables.ts';
import type { MemoryState } from '../state.ts';
import { attemptsOf, deliveriesOf, subscriptionsOf } from '../webhooks/delivery-tables.ts';
import { eventsOf } from '../webhooks/event-repository.ts';
import { redeliveriesOf } from '../webhooks/redelivery-repository.ts';
import { storesOf } from './identity-tables.ts';

const bytesOf = (...contents: readonly (string | Uint8Array | null | undefined)[]): number =>
  contents.reduce((sum, content) => sum + (content ? Buffer.from(content).length : 0), 0);

/** The bytes of each record. */
const recordsOf = (state: MemoryState, storeId: string): number[] => {
  const own = <Row extends { readonly storeId: string }>(rows: ReadonlyMap<string, Row>): Row[] =>
    [...rows.values()].filter((row) => row.storeId === storeId);
  const [events, deliveries, subscriptions] = [own(eventsOf(state)), own(deliveriesOf(state)), own(subscriptionsOf(state))];
  const keys = [...keysOf(state)].filter(([id]) => id.startsWith(`${storeId} `));
  return [
    ...events.map(({ body, wholeBody }) => bytesOf(body, wholeBody)),
    ...events.filter(({ pending }) => pending).flatMap(() => subscriptions.map(() => 0)),
    ...deliveries.flatMap(({ body, others = [] }) => [bytesOf(body), ...others.map(() => 0)]),
    ...deliveries.flatMap(({ id }) => (attemptsOf(state).get(id) ?? []).map(({ response }) => bytesOf(response))),
    ...keys.map(([, { response }]) => bytesOf(response?.body)),
    ...own(redeliveriesOf(state)).map(({ filter }) => bytesOf(JSON.stringify(filter))),
    ...own(importsOf(state)).flatMap(({ items }) => items.map(({ sourceUrl, altText }) => bytesOf(sourceUrl, altText))),
  ];
};

export const sandboxRecords = (state: MemoryState): SandboxRecords => ({
  count: async (storeId) => {
    if ((storesOf(state).get(storeId)?.sandboxAppId ?? null) === null) return null;
    const records = recordsOf(state, storeId).slice(0, MAX_SANDBOX_RECORDS);
    return { records: records.length, bytes: records.reduce((sum, bytes) => sum + bytes, 0) };
  },
});
