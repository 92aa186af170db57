import { describe, expect, it, vi } from 'vitest';

import { gatherRefusals } from '../../../src/application/insight/gather-refusals.ts';
import type { KeptRefusal, RefusedRequest } from '../../../src/domain/insight/refused-request.ts';
import { DatabaseUnavailable } from '../../../src/domain/ports/transaction.ts';

let made = 0;
const refusal = (more: Partial<RefusedRequest> = {}): RefusedRequest => ({
  id: String((made += 1)),
  at: 60_000,
  route: 'GET /apps/catalog/products',
  status: 401,
  code: 'unauthenticated',
  reason: 'unknown_token',
  check: 'token',
  storeId: 'store',
  host: 'store.example',
  installationId: 'app',
  durationMs: 1,
  ...more,
});

const open = () => {
  const batches: (readonly KeptRefusal[])[] = [];
  const lost = vi.fn();
  let answer: (batch: readonly KeptRefusal[]) => Promise<void> = () => Promise.resolve();
  const gatherer = gatherRefusals(
    {
      requestLog: {
        write: (batch) => {
          batches.push(batch);
          return answer(batch);
        },
        list: () => Promise.resolve(null),
        groups: () => Promise.resolve(null),
        get: () => Promise.resolve(null),
        purge: () => Promise.resolve(0),
      },
    },
    lost,
  );
  return { gatherer, batches, lost, answering: (next: typeof answer) => (answer = next) };
};

const add = (
  gatherer: ReturnType<typeof open>['gatherer'],
  times: number,
  more: (n: number) => Partial<RefusedRequest>,
): void => {
  for (let n = 0; n < times; n += 1) gatherer.add(refusal(more(n)));
};
const counted = (batch: readonly KeptRefusal[] | undefined): number =>
  (batch ?? []).reduce((sum, { leftOut }) => sum + 1 + leftOut, 0);

describe('gatherRefusals', () => {
  it('keeps ten refusals of each installation and reason between two flushes, and the last counts the others', async () => {
    const { gatherer, batches } = open();
    add(gatherer, 25, (n) => ({ at: 60_000 + n }));
    add(gatherer, 3, () => ({ reason: 'revoked' }));
    add(gatherer, 11, () => ({ installationId: 'another' }));
    await gatherer.flush();
    const [batch = []] = batches;
    expect(batch.map(({ leftOut }) => leftOut).filter(Boolean)).toEqual([15, 1]);
    expect([batch.length, counted(batch)]).toEqual([23, 39]);
    add(gatherer, 1, () => ({}));
    await gatherer.flush();
    expect(batches[1]).toMatchObject([{ leftOut: 0 }]);
  });

  it('tells minutes, checks, and hosts of requests without an installation apart', async () => {
    const { gatherer, batches } = open();
    add(gatherer, 11, () => ({}));
    add(gatherer, 11, () => ({ at: 120_000 }));
    add(gatherer, 11, () => ({ check: 'rate' }));
    add(gatherer, 22, (n) => ({ installationId: null, host: `${String(n % 2)}.example` }));
    await gatherer.flush();
    expect(batches[0]).toHaveLength(50);
  });

  it('writes nothing where nothing was refused', async () => {
    const { gatherer, batches } = open();
    await gatherer.flush();
    expect(batches).toEqual([]);
  });

  it('is bounded: a flood of hosts takes no room from installations, and a flood of installations ends', async () => {
    const { gatherer, batches, lost } = open();
    add(gatherer, 500, (n) => ({ installationId: null, host: `${String(n)}.example` }));
    expect(lost).toHaveBeenCalledTimes(300);
    add(gatherer, 3_000, (n) => ({ installationId: String(n) }));
    add(gatherer, 1, () => ({ installationId: '0' }));
    await gatherer.flush();
    expect(lost).toHaveBeenCalledTimes(1_500);
    expect(batches[0]).toHaveLength(2_000);
    expect(counted(batches[0])).toBe(2_001);
  });

  it('is bounded: a batch has 2,000 rows in any groups, and counts the others of a group', async () => {
    const { gatherer, batches, lost } = open();
    add(gatherer, 2_250, (n) => ({ installationId: String(n % 250) }));
    expect(lost).not.toHaveBeenCalled();
    add(gatherer, 1, () => ({ installationId: 'late' }));
    await gatherer.flush();
    expect([batches[0]?.length, counted(batches[0])]).toEqual([2_000, 2_250]);
    expect(lost).toHaveBeenCalledExactlyOnceWith(1);
  });

  it('keeps a batch for the next flush while the database is unavailable, and gathers on', async () => {
    const { gatherer, batches, lost, answering } = open();
    answering(() => Promise.reject(new DatabaseUnavailable('away')));
    add(gatherer, 1, () => ({ reason: 'first' }));
    await expect(gatherer.flush()).rejects.toThrow('away');
    add(gatherer, 1, () => ({ reason: 'second' }));
    answering(() => Promise.resolve());
    await gatherer.flush();
    await gatherer.flush();
    await gatherer.flush();
    expect(batches.map((batch) => batch.map(({ reason }) => reason))).toEqual([['first'], ['first'], ['second']]);
    expect(lost).not.toHaveBeenCalled();
  });

  it('drops a batch that the database refuses, and tells how many refusals are lost', async () => {
    const { gatherer, batches, lost, answering } = open();
    answering(() => Promise.reject(new Error('no such column')));
    add(gatherer, 12, () => ({}));
    await expect(gatherer.flush()).rejects.toThrow('no such column');
    expect(lost).toHaveBeenCalledExactlyOnceWith(12);
    await gatherer.flush();
    expect(batches).toHaveLength(1);
  });

  it.each([
    ['is lost where the database refuses it', new Error('no such column'), { lost: [[1]], sentAgain: [] }],
    ['is kept while the database is unavailable', new DatabaseUnavailable('locked'), { lost: [], sentAgain: [['locked']] }],
  ])('writes the stores behind one that fails, which %s', async (_what, error, expected) => {
    const { gatherer, batches, lost, answering } = open();
    answering(([first]) => (first?.storeId === 'locked' ? Promise.reject(error) : Promise.resolve()));
    for (const storeId of ['a', 'locked', 'b', null]) gatherer.add(refusal({ storeId, installationId: storeId }));
    await expect(gatherer.flush()).rejects.toThrow(error);
    const sent = () => batches.map((batch) => batch.map(({ storeId }) => storeId));
    expect(sent()).toEqual([['a'], ['locked'], ['b'], [null]]);
    expect(lost.mock.calls).toEqual(expected.lost);
    answering(() => Promise.resolve());
    await gatherer.flush();
    expect(sent().slice(4)).toEqual(expected.sentAgain);
  });
});
