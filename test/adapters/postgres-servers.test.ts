import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';

import { NotPrimary } from '../../src/adapters/postgres/not-primary.ts';
import { findPrimary, Servers } from '../../src/adapters/postgres/servers.ts';

const [DEAD, STANDBY] = ['postgresql://dead/tenon', 'postgresql://standby/tenon'];

it('a standby that is promoted while the old primary is silent is found without waiting for that one', async () => {
  const answers = [null, null, 2];
  const timelineAt = (url: string): Promise<number | null> =>
    url === DEAD ? new Promise(() => undefined) : Promise.resolve(answers.shift() ?? null);
  expect(await findPrimary([DEAD, STANDBY], timelineAt)).toEqual({ url: STANDBY, timeline: 2 });
});

it('of two servers that take writes it is the one that was promoted last, also where that one answers later', async () => {
  const later = new Promise<number>((resolve) => setImmediate(() => resolve(2)));
  const timelineAt = (url: string) => (url === DEAD ? later : Promise.resolve(1));
  expect(await findPrimary([STANDBY, DEAD], timelineAt)).toEqual({ url: DEAD, timeline: 2 });
});

it('where each server answers and none takes writes, nobody is asked again', async () => {
  let asked = 0;
  const timelineAt = () => {
    asked += 1;
    return Promise.resolve(null);
  };
  await expect(findPrimary([DEAD, STANDBY], timelineAt)).rejects.toThrow(
    /^No server is the primary: dead:5432 .*; standby:5432 /,
  );
  expect(asked).toBe(2);
});

describe('a process that has met the promoted server', () => {
  const [OLD, PROMOTED] = ['postgresql://old/tenon', 'postgresql://promoted/tenon'];
  const refuses = () => Promise.reject(new Error('connect ECONNREFUSED'));
  const late = () => pause(500, 2);
  const silent = () => pause(600).then(refuses);

  /** The old primary takes writes all the time. */
  const between = (promoted: () => Promise<number | null>) =>
    new Servers('postgresql://old,promoted/tenon', (url) => (url === OLD ? Promise.resolve(1) : promoted()));
  const aConnection = () => ({ retire: vi.fn<() => void>() });

  it.each([
    ['refuses', refuses],
    ['is silent', silent],
  ])('finds no primary while that one %s, and that one afterwards', async (_, away) => {
    let promoted: () => Promise<number | null> = away;
    const servers = between(() => promoted());
    const connection = aConnection();
    servers.add(connection, { url: PROMOTED, timeline: 2 });
    await expect(servers.primary()).rejects.toThrow(/old:5432 is an old primary: its timeline is 1, .* 2\b.*; promoted:5432/);
    await servers.askAgain();
    expect(connection.retire).not.toHaveBeenCalled();
    promoted = () => Promise.resolve(2);
    expect(await servers.primary()).toBe(PROMOTED);
    servers.remove(connection);
  });

  it('waits for that one where the old primary answers before it', async () => {
    const servers = between(late);
    const connection = aConnection();
    servers.add(connection, { url: PROMOTED, timeline: 2 });
    expect(await servers.primary()).toBe(PROMOTED);
    await servers.askAgain();
    expect(connection.retire).not.toHaveBeenCalled();
    servers.remove(connection);
  });

  it('remembers it from a search, without a connection', async () => {
    const answers = [() => Promise.resolve(2), refuses];
    const servers = between(() => (answers.shift() ?? refuses)());
    expect(await servers.primary()).toBe(PROMOTED);
    servers.forget();
    await expect(servers.primary()).rejects.toThrow(NotPrimary);
  });

  it('keeps a connection to it that was opened while the old primary was found', async () => {
    const servers = between(silent);
    const connection = aConnection();
    const asked = servers.askAgain();
    await pause(100);
    servers.add(connection, { url: PROMOTED, timeline: 2 });
    await asked;
    expect(connection.retire).not.toHaveBeenCalled();
    servers.remove(connection);
  });

  it('opens no connection to the old one, where one name leads to it again', () => {
    const servers = new Servers(OLD);
    const connection = aConnection();
    servers.add(connection, { url: OLD, timeline: 2 });
    expect(() => {
      servers.add(aConnection(), { url: OLD, timeline: 1 });
    }).toThrow(/^old:5432 is an old primary/);
    servers.remove(connection);
  });

  it('moves to one that is promoted after it', async () => {
    const servers = between(() => Promise.resolve(3));
    const connection = aConnection();
    servers.add(connection, { url: OLD, timeline: 2 });
    await servers.askAgain();
    expect(connection.retire).toHaveBeenCalledOnce();
    expect(await servers.primary()).toBe(PROMOTED);
    servers.remove(connection);
  });
});
