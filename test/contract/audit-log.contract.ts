import { createHash } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';

import { chainedText } from '../../src/domain/insight/audit.ts';
import type { AuditLog, AuditRecord, NewAuditEntry } from '../../src/domain/ports/insight/audit-log.ts';
import { beforeAll } from './hooks.ts';
import type { IdentityWorld } from './identity-worlds.ts';

const AT = '9000-01-01T00:00:00.000Z';
const LATER = '9000-01-02T00:00:00.000Z';
const ALL = { after: null, take: 100 };

export const auditLogContract = (name: string, open: () => Promise<IdentityWorld>): void => {
  describe(`AuditLog on ${name}`, () => {
    let world: IdentityWorld;
    let log: AuditLog;
    let storeId: string;
    beforeAll(async () => {
      world = await open();
      log = world.ports.auditLog;
    });
    afterAll(() => world.close());
    beforeEach(() => {
      storeId = world.ids.next();
    });
    const append = async (given: Partial<NewAuditEntry> = {}): Promise<NewAuditEntry> => {
      const id = world.ids.next();
      const entry = { id, storeId, at: AT, operatorId: null, answers: null, content: `{"of":"${id}"}`, ...given };
      await log.append(entry);
      return entry;
    };
    const list = async (): Promise<readonly AuditRecord[]> => (await log.list({ storeId }, ALL)).items;
    const hashOf = (previous: string, number: number, entry: NewAuditEntry): string =>
      createHash('sha256')
        .update(Buffer.from(previous, 'hex'))
        .update(chainedText({ ...entry, number }))
        .digest('hex');

    describe('append', () => {
      it('Appends the entry to the chain of its store.', async () => {
        const { answers: _none, ...entry } = await append({ operatorId: world.ids.next() });
        expect(await list()).toEqual([
          { ...entry, number: 1, hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string, answer: null },
        ]);
      });
      it('Each entry has the next number of its store.', async () => {
        await append();
        await append({ storeId: world.ids.next() });
        await append();
        expect((await list()).map(({ number }) => number)).toEqual([2, 1]);
      });
      it('Its hash is the SHA-256 of the hash before it and of the entry.', async () => {
        const first = await append({ content: '{"name":"Größe | x\\u0000"}' });
        const second = await append({ operatorId: world.ids.next(), answers: first.id });
        const third = await append();
        const [last, begun] = await list();
        expect(begun?.hash).toBe(hashOf('', 1, first));
        expect(last?.hash).toBe(hashOf(hashOf(begun?.hash ?? '', 2, second), 3, third));
      });
      it('Concurrent entries of a store follow one after the other.', async () => {
        await Promise.all(Array.from({ length: 10 }, () => append()));
        const listed = [...(await list())].sort((a, b) => a.number - b.number);
        expect(listed.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
        let previous = '';
        for (const record of listed) {
          expect(record.hash).toBe(hashOf(previous, record.number, { ...record, answers: null }));
          previous = record.hash;
        }
      });
    });

    describe('list', () => {
      it('Returns what was asked for, newest first, each with its answer.', async () => {
        const [first, second] = [await append(), await append()];
        await append({ answers: first.id, at: LATER, content: '{"status":200}' });
        expect(await list()).toMatchObject([
          { id: second.id, answer: null },
          { id: first.id, answer: { at: LATER, content: '{"status":200}' } },
        ]);
      });
      it('Returns only what matches every filter.', async () => {
        const operatorId = world.ids.next();
        const [one, other] = [await append({ operatorId }), await append({ at: LATER })];
        const elsewhere = await append({ operatorId, at: LATER, storeId: world.ids.next() });
        const found = async (filter: Parameters<AuditLog['list']>[0]) => (await log.list(filter, ALL)).items.map(({ id }) => id);
        expect(await found({ operatorId })).toEqual([elsewhere.id, one.id]);
        expect(await found({ operatorId, since: LATER })).toEqual([elsewhere.id]);
        expect(await found({ storeId, since: LATER })).toEqual([other.id]);
        expect(await found({ storeId, operatorId })).toEqual([one.id]);
        const refused = await append({ content: '{"refusal":{"reason":"other_store"},"operator":"Ada"}' });
        const refusedElsewhere = await append({ storeId: elsewhere.storeId, operatorId, content: '{"refusal":{}}' });
        await append({ content: '{"operator":"Ada","refusal":{}}' });
        expect(await found({ storeId, isRefused: true })).toEqual([refused.id]);
        expect(await found({ operatorId, isRefused: true })).toEqual([refusedElsewhere.id]);
      });
      it('Returns at most `take` after the entry `after`, and the id to continue after, or null at the end.', async () => {
        const made = [await append(), await append(), await append()].map(({ id }) => id);
        const first = await log.list({ storeId }, { after: null, take: 2 });
        expect([first.items.map(({ id }) => id), first.next]).toEqual([[made[2], made[1]], made[1]]);
        const rest = await log.list({ storeId }, { after: first.next, take: 2 });
        expect([rest.items.map(({ id }) => id), rest.next]).toEqual([[made[0]], null]);
      });
    });

    describe('countRefused', () => {
      const [NOON, ONE] = ['9000-01-01T12:00:00.000Z', '9000-01-01T13:00:00.000Z'];
      let kind: string;
      beforeEach(() => {
        kind = `of ${world.ids.next()}`;
      });
      const count = (hour: string, listed: number, refused: number) => log.countRefused(kind, hour, { listed, refused });
      it('Adds to the figures of this kind of refusals in the hour, and returns them.', async () => {
        expect(await count(NOON, 2, 3)).toEqual({ listed: 2, refused: 3 });
        expect(await log.countRefused(`another ${kind}`, NOON, { listed: 1, refused: 1 })).toEqual({ listed: 1, refused: 1 });
        expect(await count(NOON, 0, 4)).toEqual({ listed: 2, refused: 7 });
      });
      it('Begins at zero in a later hour.', async () => {
        await count(NOON, 2, 3);
        expect(await count(ONE, 1, 1)).toEqual({ listed: 1, refused: 1 });
        expect(await count(ONE, 1, 1)).toEqual({ listed: 2, refused: 2 });
      });
      it('Adds what is of an earlier hour to the present one.', async () => {
        await count(ONE, 2, 3);
        expect(await count(NOON, 1, 1)).toEqual({ listed: 3, refused: 4 });
        expect(await count(ONE, 1, 1)).toEqual({ listed: 4, refused: 5 });
      });
      it('Counts concurrent additions exactly.', async () => {
        const found = await Promise.all(Array.from({ length: 10 }, () => count(NOON, 1, 2)));
        expect(found.map(({ refused }) => refused).sort((a, b) => a - b)).toEqual([2, 4, 6, 8, 10, 12, 14, 16, 18, 20]);
      });
    });

    describe('purge', () => {
      it('Deletes at most `limit` entries that are older than this many days, and returns how many.', async () => {
        for (let n = 0; n < 3; n += 1) await append({ at: '2001-01-01T00:00:00.000Z' });
        const { id } = await append();
        expect([await log.purge(730, 2), await log.purge(730, 2), await log.purge(730, 2)]).toEqual([2, 1, 0]);
        expect(await list()).toMatchObject([{ id }]);
      });
    });
  });
};
