import { describe, expect, it } from 'vitest';

import { spreadLasting, LASTING } from '../campaigns/faults/kinds/index.ts';
import type { Probe } from '../campaigns/faults/outage.ts';
import { anAnswer, anOutage, aProbe, broken } from './histories.ts';

describe('an outage of PostgreSQL', () => {
  const during = (...probes: readonly Probe[]) => broken({ outages: [anOutage({ probes: [...anOutage().probes, ...probes] })] });
  const only = (...probes: readonly Probe[]) => broken({ outages: [anOutage({ probes })] });
  const [unready, late, success, ready] = anOutage().probes as readonly [Probe, Probe, Probe, Probe];

  it('that each node notices and survives passes', () => {
    expect(during()).toEqual([]);
    expect(during(aProbe('feed', 100, { status: 503, endedAt: 15_100, waitMs: 2_000 }))).toEqual([]);
    // A success under way as it began says nothing of its end.
    expect(during(aProbe('write', -10, { endedAt: 5 }), aProbe('readyz', 4_900))).toEqual([]);
  });
  it('in which a request has no answer, is cut or is answered after more than 13 s is a violation', () => {
    expect(during(aProbe('token', 100, { endedAt: 13_101, status: 503 }))).toEqual(['no answer']);
    expect(during(aProbe('feed', 100, { endedAt: 15_101, waitMs: 2_000 }))).toEqual(['no answer']);
    expect(during(aProbe('list of products', 100, { answer: null, left: true }))).toEqual(['no answer']);
    expect(during(aProbe('admin list', 100, { answer: null }))).toEqual(['no answer']);
  });
  it('after which a node has no success within 5 s is a violation, also if another node has one', () => {
    const slow = aProbe('write', 35_000);
    expect(only(unready, late, slow, ready)).toEqual(['return not noticed']);
    expect(only(unready, late, ready)).toContain('return not noticed');
    expect(only(unready, late, success, ready, aProbe('write', 31_000, { node: 2, status: 503 }))).toContain(
      'return not noticed',
    );
  });
  it('that no end of a connection shows may be noticed as late as an answer may come, and 5 s later', () => {
    const hidden = (...probes: readonly Probe[]) =>
      broken({ outages: [anOutage({ isHidden: true, returnedAt: 0, probes: [unready, late, ...probes] })] });
    expect(hidden(aProbe('write', 17_900), aProbe('readyz', 17_900))).toEqual([]);
    expect(hidden(aProbe('write', 18_000), aProbe('readyz', 17_900))).toEqual(['return not noticed']);
    expect(hidden(aProbe('write', 17_900), aProbe('readyz', 18_000))).toEqual(['readiness wrong']);
    // A probe needs no 503 where requests succeed again before it is due.
    const soon = anOutage({ isHidden: true, returnedAt: 0, probes: [aProbe('write', 4_000), aProbe('readyz', 4_000)] });
    expect(broken({ outages: [soon] })).toEqual([]);
  });
  it('that /readyz does not say within 5 s, takes back, or says for more than 5 s after its end is a violation', () => {
    expect(only(late, success, ready)).toEqual(['readiness wrong']);
    expect(only({ ...unready, sentAt: 4_990, endedAt: 5_001 }, late, success, ready)).toEqual(['readiness wrong']);
    expect(during(aProbe('readyz', 10_000))).toEqual(['readiness wrong']);
    expect(only(unready, late, success)).toEqual(['readiness wrong']);
    expect(only(unready, late, success, aProbe('readyz', 35_000))).toEqual(['readiness wrong']);
  });
});

describe('an outage of Redis', () => {
  /** Writes at these moments apart, in milliseconds: before, in its first second, and after it. */
  const writing = (before: number, first: number, after: number): Probe[] => {
    const moments = (from: number, until: number, apart: number) =>
      Array.from({ length: Math.floor((until - from) / apart) }, (_, n) => from + n * apart);
    const all = [...moments(-8_000, 0, before), ...moments(0, 1_000, first), ...moments(1_000, 12_000, after)];
    return all.map((at) => aProbe('write', at));
  };
  const during = (...probes: readonly Probe[]) =>
    broken({ outages: [anOutage({ of: 'Redis', returnedAt: 12_000, until: 12_000, probes })] });

  it('at which nodes write on and stay ready passes', () => {
    expect(during(...writing(100, 100, 100), aProbe('readyz', 5_000))).toEqual([]);
    expect(during(...writing(100, 1_000, 105))).toEqual([]);
  });
  it('that slows writes after its first second to less than 0.9 is a violation; a second of a busy machine is not', () => {
    expect(during(...writing(100, 100, 125))).toEqual(['slow without Redis']);
    const steady = writing(100, 100, 100);
    expect(during(...steady.filter(({ endedAt }) => endedAt < 4_000 || endedAt >= 5_000))).toEqual([]);
    expect(
      during(...steady.map((probe) => (probe.sentAt < 1_000 ? probe : { ...probe, answer: anAnswer({ status: 503 }) }))),
    ).toEqual(['slow without Redis']);
  });
  it('that makes a node say that it is not ready, or leaves a request without an answer, is a violation', () => {
    const steady = writing(100, 100, 100);
    expect(during(...steady, aProbe('readyz', 5_000, { status: 503 }))).toEqual(['readiness wrong']);
    expect(during(...steady, aProbe('token', 5_000, { answer: null }))).toEqual(['no answer']);
  });
});

describe('the lasting faults of a campaign', () => {
  it('come once at least, in the rounds that have what they break, spread over them', () => {
    const rounds = spreadLasting(['postgres', 'redis', 'postgres', 'redis']);
    expect(rounds.flat().sort()).toEqual([...LASTING].sort());
    expect(rounds.map(({ length }) => length).sort()).toEqual([1, 1, 1, 2]);
    expect([...(rounds[0] ?? []), ...(rounds[2] ?? [])]).not.toContain('hang-redis');
    expect(spreadLasting(['postgres']).flat().sort()).toEqual(LASTING.filter((name) => name !== 'hang-redis').sort());
  });
});
