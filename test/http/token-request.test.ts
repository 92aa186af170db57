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

const FAULTS = {
  form: 'Content-Type must be application/x-www-form-urlencoded, in UTF-8.',
  compressed: 'The form must not be compressed.',
  unreadable: 'The form is not valid UTF-8 with percent-encoding.',
  repeated: 'A field of the form appears more than once.',
  grant: 'grant_type must be client_credentials.',
  missing: 'client_id and client_secret are required, in the form or by HTTP Basic.',
  twice: 'Send the credentials in the form or by HTTP Basic, not both.',
  basic: 'The Authorization header is not HTTP Basic with form-encoded client_id and client_secret.',
} as const;

describe('POST /apps/token says what is wrong with the form', () => {
  it.each<[string, keyof typeof FAULTS, string | Buffer, Record<string, string[]>]>([
    ['wrong content type', 'form', BODY, { 'content-type': ['application/json'] }],
    ['a content type that only begins right', 'form', BODY, { 'content-type': [`${FORM}x`] }],
    ['no content type', 'form', BODY, { 'content-type': [] }],
    ['two content types', 'form', BODY, { 'content-type': [FORM, FORM] }],
    ['another charset', 'form', BODY, { 'content-type': [`${FORM}; charset=utf-16`] }],
    ['another parameter', 'form', BODY, { 'content-type': [`${FORM}; boundary=x`] }],
    ['a compressed body', 'compressed', BODY, { 'content-encoding': ['gzip'] }],
    ['an empty body', 'grant', '', {}],
    ['no grant', 'grant', 'client_id=id&client_secret=secret', {}],
    ['bad grant', 'grant', BODY.replace('client_credentials', 'password'), {}],
    ['no client id', 'missing', `${GRANT}&client_secret=secret`, {}],
    ['an empty client secret', 'missing', `${GRANT}&client_id=id&client_secret=`, {}],
    ['no credentials', 'missing', GRANT, {}],
    ['a repeated client_id', 'repeated', `${BODY}&client_id=id`, {}],
    ['a repeated client_secret', 'repeated', `${BODY}&client_secret=secret`, {}],
    ['a repeated grant_type', 'repeated', `${BODY}&${GRANT}`, {}],
    ['a field repeated under an escape', 'repeated', `${BODY}&client%5Fid=id`, {}],
    ['credentials in both places', 'twice', BODY, { authorization: [basic('id:secret')] }],
    ['a client id in both places', 'twice', `${GRANT}&client_id=id`, { authorization: [basic('id:secret')] }],
    ['two Authorization headers', 'basic', GRANT, { authorization: [basic('id:secret'), basic('id:secret')] }],
    ['another scheme', 'twice', BODY, { authorization: ['Digest token'] }],
    ['a bearer token alone', 'missing', GRANT, { authorization: ['Bearer token'] }],
    ['a bearer token beside Basic', 'basic', GRANT, { authorization: ['Bearer token', basic('id:secret')] }],
    ['Basic without a colon', 'basic', GRANT, { authorization: [basic('id')] }],
    ['Basic with an empty half', 'missing', GRANT, { authorization: [basic('id:')] }],
    ['Basic with invalid base64', 'basic', GRANT, { authorization: ['Basic ***'] }],
    ['Basic with a broken escape', 'missing', GRANT, { authorization: [basic('id:%zz')] }],
    ['a broken escape', 'unreadable', `${GRANT}&client_id=%zz&client_secret=secret`, {}],
    ['an escape with invalid UTF-8', 'unreadable', `${GRANT}&client_id=%ff&client_secret=secret`, {}],
    ['bytes with invalid UTF-8', 'unreadable', Buffer.concat([Buffer.from(BODY), Buffer.from([0xff])]), {}],
  ])('%s', (_, fault, body, headers) => {
    expect(read(body, headers)).toEqual({ ok: false, code: 'unauthenticated', message: FAULTS[fault] });
  });
});
