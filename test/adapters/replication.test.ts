import { describe, expect, it } from 'vitest';

import { replicationFigures, type Replication, type StandbyState } from '../../src/adapters/prisma/connection/replication.ts';
import { judgeReplication } from '../../src/adapters/prisma/doctor/replication-check.ts';

const MIB = 1024 * 1024;

const standby = (name: string, syncState: string | null = null, behind: number | null = 0): StandbyState => ({
  name,
  syncState,
  behind,
});
const replication = (names: string, standbys: readonly StandbyState[], over: Partial<Replication> = {}): Replication => ({
  names,
  waits: 'on',
  standbys,
  unusedSlots: 0,
  slotsBehind: null,
  ...over,
});

describe('what a failover would lose', () => {
  const judged = (names: string, standbys: readonly StandbyState[], over?: Partial<Replication>) => {
    const { result, message } = judgeReplication('db:5432', replication(names, standbys, over));
    return `${result}: ${message.replace(/^db:5432: /, '')}`;
  };

  it('nothing is said of it where there is no standby', () => {
    expect(judged('', [])).toBe('ok: no standby');
  });

  it('the last writes, where no commit waits for a standby', () => {
    expect(judged('', [standby('b', 'async', 3 * MIB)])).toBe(
      'ok: asynchronous: a failover to b (3.0 MiB behind) may lose the last writes',
    );
    expect(judged('', [standby('b', null, null)])).toBe(
      'ok: asynchronous: a failover to b (how far behind is not visible without pg_monitor) may lose the last writes',
    );
  });

  it.each(['local', 'off'])('the last writes, where a commit of this role does not wait: synchronous_commit %s', (waits) => {
    expect(judged('*', [standby('b', 'sync')], { waits })).toBe(
      `ok: asynchronous, since synchronous_commit is ${waits} for this role: a failover to b (0.0 MiB behind) may lose the last writes`,
    );
    expect(judged('b', [], { waits })).toBe('ok: no standby');
  });

  it.each(['on', 'remote_apply'])('nothing, where the standby confirms each commit: synchronous_commit %s', (waits) => {
    expect(judged('b', [standby('b', 'sync')], { waits })).toBe('ok: synchronous: a failover to b loses no acknowledged write');
  });

  it('what a standby only has in its memory', () => {
    expect(judged('b', [standby('b', 'sync')], { waits: 'remote_write' })).toBe(
      'ok: synchronous: a failover to b loses acknowledged writes only if its machine crashes as well (synchronous_commit is remote_write)',
    );
  });

  it('nothing in a failover to a standby that is waited for, and other standbys are named', () => {
    expect(judged('FIRST 1 (b, c)', [standby('b', 'sync'), standby('c', 'potential', MIB)])).toBe(
      'ok: synchronous: a failover to b loses no acknowledged write; nobody waits for c (1.0 MiB behind)',
    );
    expect(judged('ANY 1 (*)', [standby('b', 'quorum'), standby('c', 'quorum')])).toBe(
      'ok: synchronous: a failover to b or c loses no acknowledged write',
    );
  });

  it('a standby that is named and away is missing, also if another standby is there', () => {
    expect(judged('b', [])).toBe('warning: writes wait for 1 more of synchronous_standby_names (b); no standby is connected');
    expect(judged('b', [standby('c', 'async')])).toBe(
      'warning: writes wait for 1 more of synchronous_standby_names (b); connected: c (0.0 MiB behind)',
    );
    expect(judged('2 (b, c, d)', [standby('c', 'sync')])).toContain('writes wait for 1 more');
  });

  it.each([
    ['b', 'B'],
    ['"b"', 'b'],
    ['"b""1", c', 'b"1'],
    ['c,b', 'b'],
    ['*', 'b'],
    ['ANY 1 ("x, y", b)', 'b'],
    ['first 1 (b)', 'b'],
    ['1(b)', 'b'],
  ])('a role without pg_monitor is judged by names: %s has %s', (names, name) => {
    expect(judged(names, [standby(name)])).toMatch(/^ok: synchronous: /);
    expect(judged(names, [standby('other')])).toMatch(names === '*' ? /^ok: / : /^warning: writes wait/);
  });

  it('a slot without a standby is a warning', () => {
    expect(judged('', [standby('b', 'async')], { unusedSlots: 1 })).toMatch(/^warning: replication slots without a standby: 1; /);
  });
});

describe('the figures of replication', () => {
  it.each<readonly [string, Replication, ReturnType<typeof replicationFigures>]>([
    ['without a standby', replication('', []), { standbys: 0, standbysMissing: 0, replicationLagBytes: 0 }],
    [
      'of the standby that is the furthest behind',
      replication('ANY 1 (*)', [standby('b', 'quorum', 10), standby('c', 'quorum', 300)]),
      { standbys: 2, standbysMissing: 0, replicationLagBytes: 300 },
    ],
    [
      'of a slot that is further behind, and whose standby is missing',
      replication('', [standby('b', 'async', 10)], { unusedSlots: 1, slotsBehind: 400 }),
      { standbys: 1, standbysMissing: 1, replicationLagBytes: 400 },
    ],
    ['of names without a standby', replication('2 (b, c)', []), { standbys: 0, standbysMissing: 2, replicationLagBytes: 0 }],
    [
      'where no commit of this role waits for the names',
      replication('2 (b, c)', [], { waits: 'local' }),
      { standbys: 0, standbysMissing: 0, replicationLagBytes: 0 },
    ],
    [
      'where the lag is not visible',
      replication('b', [standby('b', null, null)]),
      { standbys: 1, standbysMissing: 0, replicationLagBytes: null },
    ],
  ])('%s', (_, given, figures) => {
    expect(replicationFigures(given)).toEqual(figures);
  });
});
