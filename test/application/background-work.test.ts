import { expect, it, vi } from 'vitest';

import { jobsOf, purgesOf } from '../../src/application/background-work.ts';
import { PURGE_SECONDS } from '../../src/domain/background-work.ts';
import { openMemoryPorts } from '../support/memory-ports.ts';

const settings = {
  schedule: { waits: [1], jitter: 0 },
  webhookLogDays: 3,
  requestLogDays: 4,
  mediaUrl: 'https://cdn.test/',
  stopping: new AbortController().signal,
  observations: { sightings: () => [], outages: () => [], forget: vi.fn<() => void>() },
  messenger: { channels: [], send: () => Promise.resolve(null), close: vi.fn<() => void>() },
  onNotTold: vi.fn<() => void>(),
};

const PURGES = /^(purge|condense)/;

it('every port that keeps rows for a time is purged', async () => {
  const ports = openMemoryPorts();
  const purges = Object.entries(ports).flatMap(([port, methods]: [string, object]) =>
    Object.keys(methods)
      .filter((name) => PURGES.test(name))
      .map((name) => ({ name: `${port}.${name}`, seen: vi.spyOn(methods as Record<string, () => unknown>, name) })),
  );
  for (const purge of purgesOf(ports, settings)) await purge(10);
  expect(purges.filter(({ seen }) => seen.mock.calls.length !== 1).map(({ name }) => name)).toEqual([]);
  expect(purges.length).toBeGreaterThan(15);
});

it('every job has a name of its own, and a pause', () => {
  const jobs = jobsOf(openMemoryPorts(), settings);
  expect(new Set(jobs.map(({ task }) => task)).size).toBe(jobs.length);
  expect(jobs.filter(({ everySeconds }) => everySeconds < 1 || everySeconds > PURGE_SECONDS)).toEqual([]);
});
