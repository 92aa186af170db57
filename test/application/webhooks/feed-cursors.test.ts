import { describe, expect, it } from 'vitest';

import { createSecrets } from '../../../src/adapters/node/secrets.ts';
import { openCursor, sealCursor } from '../../../src/application/webhooks/feed-cursors.ts';
import { formatFirstCursor } from '../../../src/domain/webhooks/feed-cursor.ts';
import { firstPlaceAt, placeAt, UNKNOWN_PLACE } from '../../../src/domain/webhooks/feed-place.ts';
import { createMemorySecrets } from '../../memory/secrets.ts';

const STORE = '019a0000-0000-7000-8000-000000000001';
const OTHER = '019a0000-0000-7000-8000-000000000002';
const PLACE = placeAt(42, [{ id: OTHER, began: 7 }]);

const secrets = createMemorySecrets(['k1']);
const cursor = sealCursor(secrets, STORE, PLACE);

/** The longest name of a key. */
const KID = 'k'.repeat(32);

describe('the cursor of a request', () => {
  it('is absent, latest, or has the place that was sealed', () => {
    expect(openCursor(secrets, STORE, undefined)).toMatchObject({ value: null });
    expect(openCursor(secrets, STORE, 'latest')).toMatchObject({ value: 'latest' });
    expect(openCursor(secrets, STORE, cursor)).toMatchObject({ value: PLACE });
  });

  it('is another text each time, also for the same place', () => {
    expect(sealCursor(secrets, STORE, PLACE)).not.toBe(cursor);
  });

  it('of the first version is still read', () => {
    expect(openCursor(secrets, STORE, formatFirstCursor(STORE, 42))).toMatchObject({ value: firstPlaceAt(42) });
    expect(sealCursor(secrets, STORE, firstPlaceAt(42))).toBe(formatFirstCursor(STORE, 42));
  });

  it('is refused where it is broken, changed, or of another store', () => {
    const invalid = { ok: false, code: 'invalid' };
    expect(openCursor(secrets, STORE, 'newest')).toMatchObject(invalid);
    expect(openCursor(secrets, OTHER, cursor)).toMatchObject(invalid);
    expect(openCursor(secrets, STORE, `${cursor.slice(0, -8)}AAAAAAAA`)).toMatchObject(invalid);
  });

  it('whose key has left the ring has an unknown place', () => {
    expect(openCursor(createMemorySecrets(['k2', 'k1']), STORE, cursor)).toMatchObject({ value: PLACE });
    expect(openCursor(createMemorySecrets(['k2']), STORE, cursor)).toMatchObject({ value: UNKNOWN_PLACE });
  });

  it('is no longer than a request may have it, with the longest name of a key', () => {
    const longest = createSecrets([{ kid: KID, key: Buffer.alloc(32) }]);
    const text = sealCursor(longest, STORE, { ...PLACE, previous: STORE });
    expect(text.length).toBeLessThanOrEqual(255);
    expect(openCursor(longest, STORE, text)).toMatchObject({ ok: true });
  });

  it('does not hide another fault', () => {
    const broken = {
      ...secrets,
      open: () => {
        throw new Error('no memory');
      },
    };
    expect(() => openCursor(broken, STORE, cursor)).toThrow('no memory');
  });
});
