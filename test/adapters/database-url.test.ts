import { describe, expect, it } from 'vitest';

import { serverUrls, whereAre } from '../../src/adapters/startup/database-url.ts';
import { judgeReplication } from '../../src/adapters/wiring/doctor/replication-check.ts';
import { parseConfig } from '../../src/adapters/wiring/settings/config.ts';

describe('DATABASE_URL', () => {
  it.each([
    ['postgresql://db/tenon', ['postgresql://db/tenon']],
    [
      'postgres://tenon:a%2Cb@one:6432,two/tenon?target_session_attrs=read-write',
      [
        'postgres://tenon:a%2Cb@one:6432/tenon?target_session_attrs=read-write',
        'postgres://tenon:a%2Cb@two/tenon?target_session_attrs=read-write',
      ],
    ],
    ['postgresql://[::1]:5432,[::2]:5432', ['postgresql://[::1]:5432', 'postgresql://[::2]:5432']],
    [
      'postgresql://tenon@%2Frun%2Fone,%2Frun%2Ftwo/t',
      ['postgresql://tenon@%2Frun%2Fone/t', 'postgresql://tenon@%2Frun%2Ftwo/t'],
    ],
  ])('%s names each server', (url, each) => {
    expect(serverUrls(url)).toEqual(each);
  });

  it('is shown without the user and the password', () => {
    expect(whereAre('postgresql://tenon:hunter2@one:6432,%2Frun%2Fpg/tenon')).toBe('one:6432 or /run/pg:5432');
  });

  it.each([
    ['postgresql://one:5432,two:5432/tenon', null],
    ['postgresql://one,two/tenon?target_session_attrs=read-write', null],
    ['postgresql://one,two/tenon?target_session_attrs=prefer-standby', /target_session_attrs must be read-write or primary/],
    ['postgresql://one,/tenon', /must be a URL that begins with postgresql:/],
    ['mysql://one,two/tenon', /must be a URL that begins with postgresql:/],
  ])('%s is checked at the start', (DATABASE_URL, fault) => {
    const config = parseConfig({ DATABASE_URL });
    expect(config.ok ? null : config.message).toEqual(fault === null ? null : expect.stringMatching(fault));
  });
});

describe('what a failover would lose', () => {
  it.each([
    [{ names: '', waits: 'on', standbys: 0 }, 'ok', 'db:5432: no standby'],
    [{ names: '', waits: 'on', standbys: 1 }, 'ok', 'db:5432: asynchronous: a failover may lose the last writes'],
    [{ names: '*', waits: 'local', standbys: 1 }, 'ok', 'db:5432: asynchronous: a failover may lose the last writes'],
    [{ names: '*', waits: 'on', standbys: 1 }, 'ok', 'db:5432: synchronous: a failover loses no acknowledged write'],
    [{ names: 'b', waits: 'on', standbys: 0 }, 'warning', expect.stringContaining('no standby is connected, so writes wait')],
  ] as const)('%j', (facts, result, message) => {
    expect(judgeReplication('db:5432', facts)).toMatchObject({ result, message });
  });
});
