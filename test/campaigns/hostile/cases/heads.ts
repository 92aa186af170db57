import { ADMIN_TOKEN } from '../../../../bench/support/tenon.ts';
import { HOSTS, PATHS } from '../support/payloads.ts';
import type { Case } from '../support/campaign.ts';
import { authenticatedOperations, operations } from '../support/operations.ts';
import { each } from '../support/attacker.ts';
import { idsIn, openShop, pathOf, type Shop } from '../support/shop.ts';
import { asApp, type Site } from '../support/site.ts';

const LIST = '/apps/catalog/products';
const HOOKS = '/apps/webhooks/subscriptions';
const LF = '\n';
const CRLF = '\r\n';

type Lines = readonly string[];
/**
 * Fault, lines of the head, a body behind it, and allowed statuses of the first answer: an empty
 * list is a cut connection.
 */
type Vector = readonly [what: string, lines: Lines, body?: string, first?: readonly number[]];

const REFUSED = [400];

/**
 * Requests as no library sends them, each with good credentials: what is at stake is how its bytes
 * are cut into requests.
 */
const vectors = ({ domain, apps }: Shop): readonly Vector[] => {
  const host = `Host: ${domain}`;
  const token = `Authorization: Bearer ${apps[0]?.token ?? ''}`;
  const get = [`GET ${LIST} HTTP/1.1`, host, token];
  const post = [`POST ${HOOKS} HTTP/1.1`, host, token, 'Content-Type: application/json'];
  const smuggled = [`GET ${LIST} HTTP/1.1`, host, token, '', ''].join(CRLF);
  const chunked = 'Transfer-Encoding: chunked';
  return [
    ['two Hosts', [...get, 'Host: other.example'], '', REFUSED],
    ['the same Host twice', [...get, host], '', REFUSED],
    ['no Host', [`GET ${LIST} HTTP/1.1`, token], '', [400, 401]],
    ['a Host and another in the address', [`GET http://other.example${LIST} HTTP/1.1`, host, token], '', [400, 401, 404, 200]],
    ['an address of another scheme', [`GET gopher://${domain}${LIST} HTTP/1.1`, host, token]],
    ['an authority alone', [`GET ${domain}:80 HTTP/1.1`, host, token]],
    ['an asterisk', ['OPTIONS * HTTP/1.1', host, token]],
    ['CONNECT', [`CONNECT ${domain}:443 HTTP/1.1`, host]],
    ['TRACE', [`TRACE ${LIST} HTTP/1.1`, host, token]],
    ['a method of no meaning', [`BREW ${LIST} HTTP/1.1`, host, token]],
    ['a method in lower case', [`get ${LIST} HTTP/1.1`, host, token]],
    ['a method of 10,000 letters', [`${'A'.repeat(10_000)} ${LIST} HTTP/1.1`, host]],
    ['two Authorizations', [...get, token], '', [401]],
    ['a line feed in the method', [`GET${LF}X ${LIST} HTTP/1.1`, host]],
    ['HTTP/0.9', [`GET ${LIST}`]],
    ['HTTP/1.0', [`GET ${LIST} HTTP/1.0`, host, token]],
    ['HTTP/2.0', [`GET ${LIST} HTTP/2.0`, host, token]],
    ['HTTP/9.9', [`GET ${LIST} HTTP/9.9`, host, token]],
    ['the preface of HTTP/2', ['PRI * HTTP/2.0', '', 'SM']],
    [
      'a switch to WebSocket',
      [...get, 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: AAAA', 'Sec-WebSocket-Version: 13'],
    ],
    ['a switch to h2c', [...get, 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__']],
    ['TLS', ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03']],
    ['noise', [Buffer.from(Array.from({ length: 2_000 }, (_, index) => (index * 7_919 + 13) % 256)).toString('latin1')]],
    ['spaces in the target', [`GET ${LIST} x HTTP/1.1`, host, token]],
    ['a tab in the request line', [`GET\t${LIST}\tHTTP/1.1`, host, token]],
    ['a NUL in the target', [`GET ${LIST}\0 HTTP/1.1`, host, token]],
    ['bytes over 127 in the target', [`GET ${LIST}/\xff\xfe HTTP/1.1`, host, token]],
    ['a fragment in the target', [`GET ${LIST}#x HTTP/1.1`, host, token]],
    // No target is an address that can be read.
    ...['http://[/', 'http://', 'https://[::1'].map((target): Vector => [
      `the target ${target}`,
      [`GET ${target} HTTP/1.1`, host, token],
      '',
      REFUSED,
    ]),
    ['a backslash in the target', [`GET \\apps\\catalog\\products HTTP/1.1`, host, token]],
    ['a space before a colon', [...get, 'X-Thing : 1'], '', REFUSED],
    ['a name of no letters', [...get, '@: 1'], '', REFUSED],
    ['no colon', [...get, 'thing'], '', REFUSED],
    ['an empty name', [...get, ': 1'], '', REFUSED],
    ['a bare line feed', [...get, `X: 1${LF}Y: 2`], '', [200, 400]],
    ['a bare carriage return', [...get, 'X: 1\rY: 2'], '', REFUSED],
    ['a NUL in a value', [...get, 'X: a\0b'], '', REFUSED],
    ['a folded line', [...get, `X: a${CRLF} b`]],
    ['a folded Host', [`GET ${LIST} HTTP/1.1`, `Host: ${domain}${CRLF} .evil.example`, token]],
    ['a folded length', [...post, `Content-Length:${CRLF} 2`], '{}'],
    ['a folded Transfer-Encoding', [...post, `Transfer-Encoding:${CRLF} chunked`], `0${CRLF}${CRLF}`],
    ['a folded first line', [`GET ${LIST} HTTP/1.1`, ` ${host}`, token]],
    ['a header of 20,000 characters', [...get, `X: ${'y'.repeat(20_000)}`], '', [431]],
    ['a name of 20,000 characters', [...get, `${'y'.repeat(20_000)}: 1`], '', [431]],
    ['a target of 20,000 characters', [`GET ${LIST}?${'q'.repeat(20_000)} HTTP/1.1`, host, token], '', [431]],
    ['1,500 headers', [...get, ...Array.from({ length: 1_500 }, (_, index) => `X${index}: 1`)], '', [200, 431]],
    ['5,000 headers', [...get, ...Array.from({ length: 5_000 }, (_, index) => `X${index}: 1`)], '', [431]],
    ['two lengths', [...post, 'Content-Length: 2', 'Content-Length: 3'], '{}x', REFUSED],
    ['the same length twice', [...post, 'Content-Length: 2', 'Content-Length: 2'], '{}', REFUSED],
    ['two lengths in a line', [...post, 'Content-Length: 2, 3'], '{}x', REFUSED],
    ['a length with a sign', [...post, 'Content-Length: +2'], '{}', REFUSED],
    ['a negative length', [...post, 'Content-Length: -2'], '{}', REFUSED],
    ['a hexadecimal length', [...post, 'Content-Length: 0x2'], '{}', REFUSED],
    ['a length with a point', [...post, 'Content-Length: 2.0'], '{}', REFUSED],
    ['a length of spaces', [...post, 'Content-Length:  '], '{}'],
    ['a length over 2^64', [...post, 'Content-Length: 18446744073709551618'], '{}', REFUSED],
    ['a length of a terabyte', [...post, 'Content-Length: 1099511627776'], '{}', [413]],
    ['a length too short', [...post, 'Content-Length: 1'], '{}'],
    ['a length and chunks', [...post, 'Content-Length: 4', chunked], `0${CRLF}${CRLF}`, REFUSED],
    ['chunks and a length', [...post, chunked, 'Content-Length: 4'], `0${CRLF}${CRLF}`, REFUSED],
    ['a request behind chunks with a length', [...post, 'Content-Length: 5', chunked], `0${CRLF}${CRLF}${smuggled}`, REFUSED],
    ['a request within a length with chunks', [...post, `Content-Length: ${smuggled.length}`, chunked], smuggled, REFUSED],
    ['chunks named twice', [...post, chunked, chunked], `0${CRLF}${CRLF}`],
    ['chunks, then identity', [...post, chunked, 'Transfer-Encoding: identity'], `0${CRLF}${CRLF}`, REFUSED],
    ['identity, then chunks', [...post, 'Transfer-Encoding: identity, chunked'], `0${CRLF}${CRLF}`],
    ['an encoding like chunked', [...post, 'Transfer-Encoding: xchunked'], `0${CRLF}${CRLF}`, REFUSED],
    ['chunked in capitals', [...post, 'TRANSFER-ENCODING: CHUNKED'], `0${CRLF}${CRLF}`],
    ['chunked with a tab', [...post, 'Transfer-Encoding:\tchunked'], `0${CRLF}${CRLF}`],
    ['chunked with a vertical tab', [...post, 'Transfer-Encoding: \x0bchunked'], `0${CRLF}${CRLF}`, REFUSED],
    ['chunked with a space before the colon', [...post, 'Transfer-Encoding : chunked'], `0${CRLF}${CRLF}`, REFUSED],
    ['chunked in quotes', [...post, 'Transfer-Encoding: "chunked"'], `0${CRLF}${CRLF}`, REFUSED],
    ['chunks of HTTP/1.0', [`POST ${HOOKS} HTTP/1.0`, host, token, chunked], `0${CRLF}${CRLF}`],
    ['a chunk size that is not a number', [...post, chunked], `zz${CRLF}{}${CRLF}`, REFUSED],
    ['a negative chunk size', [...post, chunked], `-1${CRLF}{}${CRLF}`, REFUSED],
    ['a chunk size of 17 digits', [...post, chunked], `10000000000000002${CRLF}{}${CRLF}`, REFUSED],
    ['a chunk size with 0x', [...post, chunked], `0x2${CRLF}{}${CRLF}0${CRLF}${CRLF}`, REFUSED],
    ['a chunk longer than it says', [...post, chunked], `1${CRLF}{}${CRLF}0${CRLF}${CRLF}`, REFUSED],
    ['chunks ended by bare line feeds', [...post, chunked], `2${LF}{}${LF}0${LF}${LF}`, REFUSED],
    [
      'a chunk extension of 20,000 characters',
      [...post, chunked],
      `2;${'x'.repeat(20_000)}${CRLF}{}${CRLF}0${CRLF}${CRLF}`,
      [413],
    ],
    ['30,000 chunks of a byte', [...post, chunked], `${`1${CRLF} ${CRLF}`.repeat(30_000)}0${CRLF}${CRLF}`, REFUSED],
    ['trailers of 20,000 characters', [...post, chunked], `0${CRLF}X: ${'y'.repeat(20_000)}${CRLF}${CRLF}`, [400, 431]],
    ['a Host in the trailers', [...post, chunked], `2${CRLF}{}${CRLF}0${CRLF}Host: other.example${CRLF}${CRLF}`, REFUSED],
    ['a body to GET', [...get, 'Content-Length: 2'], '{}', [200]],
    ['a request as the body of GET', [...get, `Content-Length: ${smuggled.length}`], smuggled, [200]],
    ['100-continue that nobody waits for', [...post, 'Expect: 100-continue', 'Content-Length: 2'], '{}', [100, 400]],
    ['an expectation of no meaning', [...post, 'Expect: magic', 'Content-Length: 2'], '{}', [417]],
    [
      '200 requests in one',
      Array.from({ length: 200 }, () => [...get, ''])
        .flat()
        .slice(0, -1),
    ],
    ['an empty line first', ['', ...get], '', [200]],
    ['500 empty lines first', [...Array.from({ length: 500 }, () => ''), ...get], '', [200, 400, 431]],
    ...[
      'X-Forwarded-For',
      'X-Forwarded-Host',
      'X-Original-URL',
      'X-HTTP-Method-Override',
      'Forwarded',
      'X-Rewrite-URL',
      'X-Real-IP',
    ].map((name): Vector => [`${name} of a stranger`, [...get, `${name}: /admin/stores`], '', [200]]),
    ...[
      '',
      ' ',
      'Bearer',
      'Bearer  ',
      'Basic Og==',
      'bearer x y',
      `Bearer ${'x'.repeat(10_000)}`,
      'Bearer \xff',
      'Bearer null',
      'Digest x',
    ].map((value): Vector => [
      `an Authorization of ${value.slice(0, 12)}`,
      [`GET ${LIST} HTTP/1.1`, host, `Authorization: ${value}`],
      '',
      [401],
    ]),
    ...['', ' ', 'x'.repeat(256), 'é', '\x7f', `a${CRLF}Idempotency-Key: b`].map((key): Vector => [
      `an idempotency key of ${key.slice(0, 12)}`,
      [
        `POST ${LIST}/bulk HTTP/1.1`,
        host,
        token,
        'Content-Type: application/json',
        `Idempotency-Key: ${key}`,
        'Content-Length: 2',
      ],
      '{}',
      REFUSED,
    ]),
    ...HOSTS.map((value): Vector => [
      `a Host of ${value.slice(0, 12)}`,
      [`GET ${LIST} HTTP/1.1`, `Host: ${value}`, token],
      '',
      [400, 401],
    ]),
  ];
};

/** The credentials are in the form. This header, which a client sends by default, is not one of them. */
const tokenVectors = ({ domain, apps }: Shop): readonly Vector[] => {
  const [app] = apps;
  const form = `grant_type=client_credentials&client_id=${app?.clientId ?? ''}&client_secret=${app?.clientSecret ?? ''}`;
  const head = ['POST /apps/token HTTP/1.1', `Host: ${domain}`, 'Content-Type: application/x-www-form-urlencoded'];
  return ['Bearer x', 'Bearer', `Bearer ${app?.token ?? ''}`].map((value): Vector => [
    `a token request with the Authorization ${value.slice(0, 8)}`,
    [...head, `Authorization: ${value}`, `Content-Length: ${form.length}`],
    form,
    [200],
  ]);
};

/** A NUL, which no text of PostgreSQL has, in each parameter of every query. */
const nulQueries = (shop: Shop) =>
  authenticatedOperations.flatMap((operation) => {
    const path = pathOf(operation.path, idsIn(operation, shop, shop.apps[0]!));
    const names = operation.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
    return names.flatMap((name) => ['%00', 'a%00b'].map((value) => ({ operation, path: `${path}?${name}=${value}` })));
  });

const CLOSE = 'Connection: close';

const firstStatus = (text: string): number => Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1] ?? 0);

/**
 * Builds the bytes; with `Connection: close` before any fault, so that the end of the answer is
 * seen. A smuggled request would be answered only without.
 */
const bytesOf = (lines: Lines, body: string, isSmuggling: boolean): Buffer => {
  const start = lines.findIndex((line) => line !== '') + 1;
  const head = isSmuggling ? lines : [...lines.slice(0, start), CLOSE, ...lines.slice(start)];
  return Buffer.from([...head, '', body].join(CRLF), 'latin1');
};

const send = async (site: Site, base: string, [what, lines, body = '', first]: Vector): Promise<void> => {
  const isSmuggling = body.includes(LIST);
  const text = await site.attacker.sendRaw({ what, base, bytes: bytesOf(lines, body, isSmuggling) });
  const answers = text.match(/^HTTP\/1\.1 \d/gm)?.length ?? 0;
  if (isSmuggling && answers > 1) site.attacker.violate('wrong answer', `${answers} answers to ${what}`);
  if (base === site.url && first && !first.includes(firstStatus(text))) {
    site.attacker.violate('wrong answer', `${firstStatus(text)}, not ${first.join(' or ')}, to ${what}`);
  }
};

const ODD = [
  '/.',
  '//',
  '/%2f',
  '/..;/',
  '/%2e%2e/',
  '%00',
  '%0d%0aX-Evil:%201',
  '/\\',
  '?',
  '#',
  '%',
  '%zz',
  ';a=b',
  '/%c0%ae%c0%ae/',
  '.json',
  '~',
  "'",
  '%20',
  '+',
];

/**
 * Every path of both documents, disfigured at each slash: none leads into what it should not, none
 * fails.
 */
const oddPaths = (shop: Shop) =>
  authenticatedOperations.flatMap((operation) => {
    const path = pathOf(operation.path, idsIn(operation, shop, shop.apps[0]!));
    const slashes = [...path.matchAll(/\//g)].map(({ index }) => index).slice(1);
    return ODD.flatMap((odd) => [
      { operation, path: `${path}${odd}` },
      ...slashes.map((at) => ({ operation, path: `${path.slice(0, at)}${odd}${path.slice(at)}` })),
    ]);
  });

/** The tokens and paths of one listener at the other, and in capitals: none gets in. */
const strayPaths = (shop: Shop) =>
  authenticatedOperations.map((operation) => {
    const path = pathOf(operation.path, idsIn(operation, shop, shop.apps[0]!));
    return { operation, path, capitals: path.replace(/^\/(\w)/, (_, letter: string) => `/${letter.toUpperCase()}`) };
  });

const tokenOf = (side: string, shop: Shop): string => (side === 'admin' ? ADMIN_TOKEN : (shop.apps[0]?.token ?? ''));

/**
 * Requests that no library would send: what frames them, what names their host, what they are for.
 */
export const heads: Case = {
  about:
    'Raw request heads: conflicting lengths, request smuggling, Host, folded and oversized headers, malformed paths of every operation.',
  run: async ({ site: openShared, attacker, short }) => {
    const site = await openShared();
    const shop = await openShop(site, operations, 1);
    const shots = vectors(shop);
    await each(
      shots,
      async (vector) => {
        await send(site, site.url, vector);
        await send(site, site.adminUrl, vector);
      },
      32,
    );
    for (const vector of tokenVectors(shop)) await send(site, site.url, vector);
    const urls = { app: site.url, admin: site.adminUrl };
    await each(nulQueries(shop), ({ operation: { method, side }, path }) =>
      attacker.send({
        what: 'a NUL in a query',
        base: urls[side],
        method,
        path,
        headers: { host: shop.domain, authorization: `Bearer ${tokenOf(side, shop)}` },
      }),
    );
    const paths = oddPaths(shop).filter((_, index) => !short || index % 20 === 0);
    await each(paths, ({ operation: { method, side }, path }) => {
      const lines = [`Host: ${shop.domain}`, CLOSE, `Authorization: Bearer ${tokenOf(side, shop)}`, 'Content-Length: 0'];
      // A subscription or a store that is deleted would make an easy 404 of all that follows.
      const verb = method === 'DELETE' || /uninstall|revoke/.test(path) ? 'PATCH' : method;
      return attacker.sendRaw({
        what: 'a disfigured path',
        base: urls[side],
        bytes: Buffer.from([`${verb} ${path} HTTP/1.1`, ...lines, '', ''].join(CRLF), 'latin1'),
      });
    });
    await each(
      PATHS.flatMap((path) => [site.url, site.adminUrl].map((base) => ({ path, base }))),
      ({ path, base }) => attacker.send({ what: 'an odd path', base, method: 'GET', path, headers: { host: shop.domain } }),
    );
    await each(strayPaths(shop), async ({ operation: { method, side }, path, capitals }) => {
      const host = shop.domain;
      const other = side === 'app' ? site.adminUrl : site.url;
      const authorization = `Bearer ${tokenOf(side, shop)}`;
      await attacker.send({
        what: 'the other listener',
        base: other,
        method,
        path,
        headers: { host, authorization },
        wanted: [404],
      });
      await attacker.send({
        what: 'capitals',
        base: urls[side],
        method,
        path: capitals,
        headers: { host, authorization },
        wanted: [404],
      });
      const stranger = `Bearer ${tokenOf(side === 'app' ? 'admin' : 'app', shop)}`;
      await attacker.send({
        what: "the other's token",
        base: urls[side],
        method,
        path,
        headers: { host, authorization: stranger },
        wanted: [401],
      });
    });
    await asApp(site, shop, shop.apps[0]!)('GET', LIST, undefined, { wanted: [200] });
    return { 'raw requests': shots.length * 2 + paths.length };
  },
};
