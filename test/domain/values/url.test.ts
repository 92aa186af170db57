import { describe, expect, it } from 'vitest';

import { parseItems } from '../../../src/domain/media/import-request.ts';
import { parseUrl } from '../../../src/domain/values/url.ts';
import { parseTarget } from '../../../src/domain/webhooks/webhook-url.ts';

// Node 20.20 refuses this URL from call 4,000 to 8,000 of URL.canParse on.
const URL_IN_LATIN_1 = 'https://bücher.de/x';
const WARM = 20_000;

/** The first call that answers otherwise; -1 when none does. */
const firstWrong = (accepts: () => boolean): number => Array.from({ length: WARM }, accepts).indexOf(false);

describe('a URL is judged the same after many calls', () => {
  it('by parseUrl', () => {
    expect(firstWrong(() => parseUrl(URL_IN_LATIN_1) !== null)).toBe(-1);
  });

  it('as the URL of a subscription', () => {
    expect(firstWrong(() => parseTarget(URL_IN_LATIN_1).ok)).toBe(-1);
  });

  it('as the source of a media import', () => {
    const item = { sourceUrl: URL_IN_LATIN_1, productId: '00000000-0000-7000-8000-000000000001' };
    expect(firstWrong(() => parseItems([item]).ok)).toBe(-1);
  });
});

describe('parseUrl', () => {
  it('resolves against a base', () => {
    expect(parseUrl('../b', 'https://x.test/a/c')?.href).toBe('https://x.test/b');
  });

  it('gives null for what is not a URL', () => {
    expect(parseUrl('a b')).toBeNull();
    expect(parseUrl('https://')).toBeNull();
  });
});
