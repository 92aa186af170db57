import { describe, expect, it } from 'vitest';

import { limitedBy } from '../../../src/domain/identity/limited-by.ts';
import { provenKey, rateLimitPolicy, type RateLimitBucket } from '../../../src/domain/identity/rate-limit.ts';
import { redactCredentials } from '../../../src/domain/identity/redact.ts';
import { ALL_SCOPES, commonScopes, covers, notYetEnforcedScopes, usableScopes } from '../../../src/domain/identity/scope.ts';

describe('scopes', () => {
  it('a write scope includes its read scope, and not the other way round', () => {
    expect(covers(['write_products'], 'read_products')).toBe(true);
    expect(covers(['write_products'], 'write_products')).toBe(true);
    expect(covers(['read_products'], 'write_products')).toBe(false);
    expect(covers(['write_products'], 'read_orders')).toBe(false);
    expect(covers([], 'read_products')).toBe(false);
  });
  it('those that can be used are sorted, each once, with the included ones', () => {
    expect(usableScopes(['write_products', 'read_products', 'read_metaobjects', 'read_media'])).toEqual([
      'read_metaobjects',
      'read_products',
      'write_products',
    ]);
  });
  it('those that no endpoint honours yet are sorted, each once', () => {
    expect(notYetEnforcedScopes(['write_orders', 'read_media', 'write_orders', 'read_products'])).toEqual([
      'read_media',
      'write_orders',
    ]);
  });
  it('that others have in common are sorted; a write scope that is not granted leaves its read scope, if that is', () => {
    expect(commonScopes(['write_products', 'read_content', 'write_content'], ['write_content', 'read_products'])).toEqual([
      'read_content',
      'read_products',
      'write_content',
    ]);
    expect(commonScopes(['write_products', 'read_orders'], ['read_content'])).toEqual([]);
    expect(commonScopes(['read_products'], ['write_products'])).toEqual(['read_products']);
  });
  it('every scope has the form read_ or write_ and a resource', () => {
    expect(ALL_SCOPES.length).toBeGreaterThan(20);
    expect(ALL_SCOPES.filter((scope) => !/^(read|write)_[a-z]+$/.test(scope))).toEqual([]);
  });
});

describe('a credential in a text', () => {
  it.each([
    ['tnn_cid_', 'tnn_cid_abc123'],
    ['tnn_cs_', 'tnn_cs_abc123'],
    ['tnn_at_', 'tnn_at_abc123'],
    ['whsec_', 'whsec_abc+/='],
    ['tnn_admin_', 'tnn_admin_a.b~c%20-d'],
  ])('is cut after its prefix %s', (prefix, credential) => {
    expect(redactCredentials(`GET /x?a=${credential}&b=1 and ${credential}`)).toBe(
      `GET /x?a=${prefix}[cut]&b=1 and ${prefix}[cut]`,
    );
  });
  it('is cut also where its underscores are percent-encoded or its letters upper-case', () => {
    expect(redactCredentials('/tnn%5Fat%5Fabc')).toBe('/tnn%5Fat%5F[cut]');
    expect(redactCredentials('WHSEC_abc')).toBe('WHSEC_[cut]');
  });
  it('other text stays', () => expect(redactCredentials('tnn_x whse c_')).toBe('tnn_x whse c_'));
});

it('each rate limit has a counter of its own with the window of its policy', async () => {
  const policies = {
    installation: rateLimitPolicy(1, 1),
    'token-client': rateLimitPolicy(1, 2),
    'token-address': rateLimitPolicy(1, 3),
    'admin-address': rateLimitPolicy(1, 4),
    'token-app': rateLimitPolicy(1, 5),
    'token-failures': rateLimitPolicy(1, 6),
  };
  const counted: string[] = [];
  const limiter = limitedBy(policies, (bucket, windowSeconds) => ({
    consume: async (key) => {
      counted.push(`${bucket} ${windowSeconds} ${key}`);
      return { consumedPoints: 2, msBeforeNext: 500 };
    },
  }));
  const decide = (bucket: RateLimitBucket) => limiter.consume(bucket, provenKey('key'));
  expect(await decide('installation')).toEqual({ allowed: false, remaining: 0, resetSeconds: 1, limit: 1, windowSeconds: 1 });
  expect(await decide('token-client')).toMatchObject({ allowed: true, remaining: 0, limit: 2 });
  expect(await decide('token-address')).toMatchObject({ allowed: true, remaining: 1, limit: 3 });
  expect(await decide('admin-address')).toMatchObject({ allowed: true, remaining: 2, limit: 4 });
  expect(await decide('token-app')).toMatchObject({ allowed: true, remaining: 3, limit: 5 });
  expect(await decide('token-failures')).toMatchObject({ allowed: true, remaining: 4, limit: 6 });
  expect(counted).toEqual([
    ...['installation 1 key', 'token-client 2 key', 'token-address 3 key', 'admin-address 4 key'],
    ...['token-app 5 key', 'token-failures 6 key'],
  ]);
});
