import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { joinProcesses, type Member, type Membership } from '../../../src/adapters/wiring/processes/membership.ts';
import { BEAT_SECONDS, liveProcesses } from '../../../src/domain/insight/processes.ts';
import type { Ports } from '../../../src/domain/ports/index.ts';
import { DatabaseUnavailable } from '../../../src/domain/ports/transaction.ts';
import { manualClock } from '../../memory/clock.ts';
import { sequentialIds } from '../../memory/ids.ts';
import { createMemoryPorts } from '../../memory/index.ts';

const log = pino({ level: 'silent' });
let ports: Pick<Ports, 'processes' | 'ids'>;
let members: Membership[];
beforeEach(() => {
  vi.useFakeTimers();
  const ids = sequentialIds();
  ports = { ...createMemoryPorts({ clock: manualClock(), ids, idempotencyTtlSeconds: 60 }), ids };
  members = [];
});
afterEach(async () => {
  await Promise.all(members.map((member) => member.leave()));
  vi.useRealTimers();
});

const join = async (member: Partial<Member> = {}): Promise<Membership> => {
  const joined = await joinProcesses(ports, { role: 'all', keys: ['k2', 'k1'], ...member }, log);
  members.push(joined);
  return joined;
};
const beats = (): Promise<unknown> => vi.advanceTimersByTimeAsync(BEAT_SECONDS * 1000);

it('a new first key seals nothing before each live process knows it', async () => {
  const old = await join({ keys: ['k1'] });
  const renewed = await join();
  expect([old.sealing(), renewed.sealing()]).toEqual(['k1', 'k1']);
  await beats();
  expect(renewed.sealing()).toBe('k1');
  expect((await ports.processes.list()).seen.map(({ sealing }) => sealing)).toEqual(['k1', 'k1']);
  await old.leave();
  await beats();
  expect(renewed.sealing()).toBe('k2');
  const { seen } = await ports.processes.list();
  expect(liveProcesses(seen).map(({ keys, sealing }) => [keys, sealing])).toEqual([[['k2', 'k1'], 'k2']]);
});

it('a process that knows the new key alone takes it back from the others', async () => {
  const renewed = await join();
  expect(renewed.sealing()).toBe('k2');
  await join({ keys: ['k1'] });
  await beats();
  expect(renewed.sealing()).toBe('k1');
});

it('tells what it repeats, with the seconds since it last succeeded', async () => {
  const worker = await join({ role: 'worker' });
  const succeeded = worker.repeats('The sweep', 20);
  await beats();
  const reported = async () => (await ports.processes.list()).seen[0]?.tasks;
  expect(await reported()).toEqual([{ name: 'The sweep', everySeconds: 20, secondsAgo: BEAT_SECONDS }]);
  succeeded();
  await beats();
  await beats();
  expect(await reported()).toEqual([{ name: 'The sweep', everySeconds: 20, secondsAgo: 2 * BEAT_SECONDS }]);
});

it('seals on, and leaves without a word, while the database is away', async () => {
  const { processes } = ports;
  const away = () => Promise.reject(new DatabaseUnavailable('It is away.', new Error('It is away.')));
  const member = await join();
  vi.spyOn(processes, 'beat').mockImplementation(away);
  vi.spyOn(processes, 'leave').mockImplementation(away);
  await beats();
  expect(member.sealing()).toBe('k2');
  await member.leave();
});
