import { describe, expect, it } from 'vitest';

import { serverUrls, whereAre } from '../../src/adapters/startup/database-url.ts';
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
