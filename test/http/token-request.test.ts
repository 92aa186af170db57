import { describe, expect, it } from 'vitest';

import { readTokenRequest } from '../../src/adapters/http/serving/admit/token-request.ts';

const FORM = 'application/x-www-form-urlencoded';
const GRANT = 'grant_type=client_credentials';
const BODY = `${GRANT}&client_id=id&client_secret=secret`;
const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;
const read = (body: string | Buffer, headers: Record<string, string[]> = {}) =>
  readTokenRequest({ 'content-type': [FORM], ...headers }, Buffer.from(body));
const credentials = { clientId: 'id', clientSecret: 'secret' };

describe('POST /apps/token reads', () => {
  it.each([
    ['the form', BODY, {}],
    ['a charset', BODY, { 'content-type': [`${FORM}; charset=UTF-8`] }],
    ['a charset in quotes, among blanks', BODY, { 'content-type': [`${FORM} ; charset="utf-8" ; `] }],
    ['a content type in other letters', BODY, { 'content-type': [FORM.toUpperCase()] }],
    ['unknown fields', `${BODY}&scope=read_products`, {}],
    ['escapes', `${GRANT}&client_id=%69d&client_secret=secret`, {}],
    ['HTTP Basic', GRANT, { authorization: [basic('id:secret')] }],
    ['HTTP Basic in other letters', GRANT, { authorization: [basic('id:secret').replace('Basic', 'bAsIc')] }],
    ['HTTP Basic with form-encoded halves', GRANT, { authorization: [basic('%69d:s%65cret')] }],
    [
      'HTTP Basic beside fields without a value, which count as left out',
      `${GRANT}&client_id=&client_secret=`,
      { authorization: [basic('id:secret')] },
    ],
  ])('%s', (_, body, headers) => {
    expect(read(body, headers)).toEqual({ ok: true, value: credentials });
  });
  it('plus signs as spaces, in both places, and a colon in the secret', () => {
    expect(read(GRANT, { authorization: [basic('a+b:c+d%2B:e')] })).toMatchObject({
      value: { clientId: 'a b', clientSecret: 'c d+:e' },
    });
    expect(read(`${GRANT}&client_id=a+b&client_secret=c%2Bd`)).toMatchObject({ value: { clientId: 'a b', clientSecret: 'c+d' } });
  });
});

describe('POST /apps/token reads a Content-Type in linear time', () => {
  // The expression that was here took 97 ms for 15 KB, and 30 s for 100 KB. The bound leaves a busy machine 100 times what it takes.
  it.each([
    ['blanks', ' '.repeat(100_000)],
    ['semicolons', ';'.repeat(100_000)],
    ['parameters', '; charset=utf-8'.repeat(7_000)],
    ['a quote that stays open', `; charset="${'\\"'.repeat(50_000)}`],
  ])('%s', (_title, rest) => {
    const started = performance.now();
    read(BODY, { 'content-type': [`${FORM}${rest}x`] });
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

it.each(['Bearer token', 'bearer', 'Bearer '])('ignores %s, which typed clients set on every request', (header) => {
  expect(read(BODY, { authorization: [header] })).toMatchObject({ ok: true, value: { clientId: 'id' } });
});

describe('POST /apps/token: 401 with empty body', () => {
  it.each([
    ['wrong content type', BODY, { 'content-type': ['application/json'] }],
    ['a content type that only begins right', BODY, { 'content-type': [`${FORM}x`] }],
    ['no content type', BODY, { 'content-type': [] }],
    ['two content types', BODY, { 'content-type': [FORM, FORM] }],
    ['another charset', BODY, { 'content-type': [`${FORM}; charset=utf-16`] }],
    ['another parameter', BODY, { 'content-type': [`${FORM}; boundary=x`] }],
    ['a compressed body', BODY, { 'content-encoding': ['gzip'] }],
    ['an empty body', '', {}],
    ['no grant', 'client_id=id&client_secret=secret', {}],
    ['bad grant', BODY.replace('client_credentials', 'password'), {}],
    ['no client id', `${GRANT}&client_secret=secret`, {}],
    ['an empty client secret', `${GRANT}&client_id=id&client_secret=`, {}],
    ['no credentials', GRANT, {}],
    ['a repeated client_id', `${BODY}&client_id=id`, {}],
    ['a repeated client_secret', `${BODY}&client_secret=secret`, {}],
    ['a repeated grant_type', `${BODY}&${GRANT}`, {}],
    ['a field repeated under an escape', `${BODY}&client%5Fid=id`, {}],
    ['credentials in both places', BODY, { authorization: [basic('id:secret')] }],
    ['a client id in both places', `${GRANT}&client_id=id`, { authorization: [basic('id:secret')] }],
    ['two Authorization headers', GRANT, { authorization: [basic('id:secret'), basic('id:secret')] }],
    ['another scheme', BODY, { authorization: ['Digest token'] }],
    ['a bearer token alone', GRANT, { authorization: ['Bearer token'] }],
    ['a bearer token beside Basic', GRANT, { authorization: ['Bearer token', basic('id:secret')] }],
    ['Basic without a colon', GRANT, { authorization: [basic('id')] }],
    ['Basic with an empty half', GRANT, { authorization: [basic('id:')] }],
    ['Basic with invalid base64', GRANT, { authorization: ['Basic ***'] }],
    ['Basic with a broken escape', GRANT, { authorization: [basic('id:%zz')] }],
    ['a broken escape', `${GRANT}&client_id=%zz&client_secret=secret`, {}],
    ['an escape with invalid UTF-8', `${GRANT}&client_id=%ff&client_secret=secret`, {}],
    ['bytes with invalid UTF-8', Buffer.concat([Buffer.from(BODY), Buffer.from([0xff])]), {}],
  ])('%s', (_, body, headers) => {
    expect(read(body, headers)).toEqual({ ok: false, code: 'unauthenticated', message: '' });
  });
});
