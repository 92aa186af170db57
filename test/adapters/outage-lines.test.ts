import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { errorLine, OutageLines } from '../../src/adapters/node/logger.ts';
import { QueueUnavailable } from '../../src/domain/ports/webhooks/delivery-queue.ts';
import { DatabaseUnavailable } from '../../src/domain/ports/transaction.ts';
import { ConnectionLost, isOutage } from '../../src/domain/unavailable.ts';

describe('the lines of an outage', () => {
  let written: string[];
  let lines: OutageLines;
  const add = (kind: string, name = ''): void =>
    lines.add(kind, (leftOut) => void written.push(`${kind} ${name} +${String(leftOut)}`));
  beforeEach(() => {
    vi.useFakeTimers();
    [written, lines] = [[], new OutageLines()];
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('the first is written at once, then one a second: the newest, with the number of those left out', () => {
    for (let at = 0; at < 100; at += 1) add('request', String(at));
    expect(written).toEqual(['request 0 +0']);
    vi.advanceTimersByTime(1_000);
    expect(written).toEqual(['request 0 +0', 'request 99 +98']);
    add('request', '100');
    vi.advanceTimersByTime(999);
    expect(written).toHaveLength(2);
    vi.advanceTimersByTime(1);
    expect(written[2]).toBe('request 100 +0');
    expect(lines.total).toBe(101);
  });
  it('at most one a second of each kind, however long it takes, and none is uncounted', () => {
    for (let ms = 0; ms < 60_000; ms += 10) {
      for (const kind of ['request', 'sweep']) add(kind);
      vi.advanceTimersByTime(10);
    }
    expect(written.filter((line) => line.startsWith('request'))).toHaveLength(61);
    const counted = written.map((line) => 1 + Number(line.split('+')[1]));
    expect(counted.reduce((sum, count) => sum + count)).toBe(lines.total);
  });
  it('what waits is written at once where that is asked for, and not a second time', () => {
    for (const name of ['1', '2', '3']) add('request', name);
    lines.flush();
    lines.flush();
    vi.advanceTimersByTime(1_000);
    expect(written).toEqual(['request 1 +0', 'request 3 +1']);
  });
  it('after a quiet second the next is written at once again', () => {
    add('request', '1');
    vi.advanceTimersByTime(1_000);
    add('request', '2');
    expect(written).toEqual(['request 1 +0', 'request 2 +0']);
  });
});

const OUTAGES = `
  import { createLogger } from './src/adapters/node/logger.ts';
  import { DatabaseUnavailable } from './src/domain/ports/transaction.ts';
  const log = createLogger('info');
  for (let n = 0; n < 5; n += 1) log.warn({ err: new DatabaseUnavailable('away') }, 'request failed');
  process.exit(0);`;

it('the line of an outage that waits is written when the process ends, with the number of those left out', () => {
  const { stdout } = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', OUTAGES], {
    cwd: join(import.meta.dirname, '../..'),
    encoding: 'utf8',
  });
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { leftOut?: number }).leftOut ?? 0);
  // The first may still be under way when the other is written.
  expect(lines.toSorted()).toEqual([0, 3]);
});

describe('an outage', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });

  it.each([
    new DatabaseUnavailable('The database is unavailable', { cause: refused }),
    new QueueUnavailable(refused),
    new ConnectionLost(refused),
    new Error('deliver:1 failed', { cause: new DatabaseUnavailable('The database is unavailable') }),
  ])('%s is written without its stack', (error) => {
    expect(isOutage(error)).toBe(true);
    expect(errorLine(error)).not.toHaveProperty('stack');
  });
  it('keeps its cause in the message', () => {
    expect(errorLine(new ConnectionLost(refused))).toEqual({
      type: 'ConnectionLost',
      message: 'The connection was lost: connect ECONNREFUSED 127.0.0.1:5432',
    });
  });
  it.each([
    new TypeError('x is not a function'),
    new QueueUnavailable(new TypeError('x is not a function')),
    new Error('a duplicate key', { cause: new Error('23505') }),
  ])('%s is a bug, and keeps its stack', (error) => {
    expect(isOutage(error)).toBe(false);
    expect(errorLine(error)).toHaveProperty('stack');
  });
});
