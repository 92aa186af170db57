import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { systemClock } from '../../src/adapters/node/clock.ts';
import { createAddressResolver } from '../memory/address-resolver.ts';
import { parseCidrs } from '../../src/adapters/node/names/ip-address.ts';
import { createWebhookSender } from '../../src/adapters/outgoing/webhook/webhook-sender.ts';
import type { WebhookResponse } from '../../src/domain/ports/webhooks/webhook-sender.ts';
import { LOOPBACK, PRIVATE } from '../campaigns/hostile/support/address-vectors.ts';
import { redirect, respond, startReceiver, type Receiver } from '../support/receiver.ts';

/** Names and all that they resolve to. */
const NAMES: Record<string, string[]> = {
  'loopback.example.com': ['127.0.0.1'],
  'loopback6.example.com': ['::1'],
  'mapped.example.com': ['::ffff:127.0.0.1'],
  'compatible.example.com': ['::7f00:1'],
  'unspecified.example.com': ['0.0.0.0'],
  'unspecified6.example.com': ['::'],
  'metadata.example.com': ['169.254.169.254'],
  'private.example.com': ['10.0.0.1'],
  'nat64.example.com': ['64:ff9b::7f00:1'],
  '6to4.example.com': ['2002:7f00:1::'],
  'teredo.example.com': ['2001:0:7f00:1::'],
  'zone.example.com': ['fe80::1%lo'],
  'unique-local.example.com': ['fd00::1'],
  'public-first.example.com': ['8.8.8.8', '127.0.0.1'],
  'private-first.example.com': ['127.0.0.1', '8.8.8.8'],
  'both-families.example.com': ['8.8.8.8', '::1'],
  'last-of-many.example.com': ['8.8.8.8', '8.8.4.4', '1.1.1.1', '1.0.0.1', '9.9.9.9', '127.0.0.1'],
  'dotted.example.com': ['127.0.0.1'],
  // Names that are refused before any look-up.
  localhost: ['127.0.0.1'],
  'app.localhost': ['127.0.0.1'],
  'printer.local': ['127.0.0.1'],
  'db.internal': ['127.0.0.1'],
  intranet: ['127.0.0.1'],
};

const VECTORS = [...LOOPBACK, ...PRIVATE, ...Object.keys(NAMES), 'dotted.example.com.'];

/** Another address of this machine than 127.0.0.1. */
const OTHER = process.platform === 'linux' ? '127.0.0.2' : '::1';

const senderOn = (allowed: string, addressesOf = (host: string) => NAMES[host]) => {
  const addresses = createAddressResolver(addressesOf);
  const sender = createWebhookSender({ addresses, clock: systemClock, allowed: parseCidrs(allowed), timeoutSeconds: 5 });
  const send = async (url: string): Promise<WebhookResponse> => {
    const request = { subscriptionId: 'one', askedBy: 'app', url, headers: { 'content-type': 'application/json' }, body: '{}' };
    const response = await sender.send(request, new AbortController().signal);
    if (!response) throw new Error('nobody aborted it');
    return response;
  };
  return { send, close: () => sender.close() };
};

describe('no connection reaches an address that is not allowed', () => {
  let sentinel: Receiver;
  beforeAll(async () => {
    sentinel = await startReceiver({ host: '' });
  });
  afterAll(async () => sentinel.close());

  it('is tested with at least 60 spellings', () => {
    expect(new Set(VECTORS).size).toBeGreaterThanOrEqual(60);
  });

  it.each(VECTORS.flatMap((host) => [`https://${host}`, `http://${host}`]))('%s', async (origin) => {
    const { send, close } = senderOn('');
    expect(await send(`${origin}:${sentinel.port}/`)).toMatchObject({
      status: null,
      error: 'address_not_allowed',
      address: null,
    });
    await close();
    expect(sentinel.connections()).toBe(0);
  });

  it('the sentinel saw no connection, but the same spellings reach it when they are allowed', async () => {
    expect(sentinel.connections()).toBe(0);
    const { send, close } = senderOn('0.0.0.0/0,::/0');
    const reached = [];
    for (const host of [...LOOPBACK, 'loopback.example.com', 'mapped.example.com']) {
      if ((await send(`http://${host}:${sentinel.port}/`)).status === 204) reached.push(host);
    }
    expect(reached).toEqual(expect.arrayContaining(LOOPBACK.filter((host) => !host.startsWith('['))));
    expect(reached).toContain('loopback.example.com');
    expect(sentinel.connections()).toBe(reached.length);
    await close();
  });
});

describe('the checked address is dialled', () => {
  let receiver: Receiver;
  let sentinel: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
    sentinel = await startReceiver({ host: OTHER, port: receiver.port });
  });
  afterAll(async () => {
    await receiver.close();
    await sentinel.close();
  });

  it('a name that changes its address after the check has no effect', async () => {
    const answers = [['127.0.0.1'], [OTHER], ['127.0.0.1', OTHER]];
    let lookups = 0;
    const { send, close } = senderOn('127.0.0.1/32', () => answers[lookups++]);
    receiver.answer(respond(204, '', { connection: 'close' }));
    const url = `http://rebinding.example.com:${receiver.port}/`;
    expect(await send(url)).toMatchObject({ status: 204, address: '127.0.0.1' });
    expect(lookups).toBe(1);
    expect(await send(url)).toMatchObject({ error: 'address_not_allowed' });
    expect(await send(url)).toMatchObject({ error: 'address_not_allowed' });
    expect(lookups).toBe(3);
    expect(sentinel.connections()).toBe(0);
    await close();
  });

  it.each([301, 302, 303, 307, 308])('a redirect by %i is not followed', async (status) => {
    const { send, close } = senderOn('127.0.0.1/32');
    const elsewhere = sentinel.url;
    receiver.answer(redirect(status, elsewhere));
    const before = receiver.received.length;
    expect(await send(receiver.url)).toMatchObject({ status, error: null, body: 'elsewhere' });
    receiver.answer(redirect(status, receiver.url));
    expect(await send(receiver.url)).toMatchObject({ status, error: null });
    expect(receiver.received.length).toBe(before + 2);
    expect(sentinel.connections()).toBe(0);
    await close();
  });

  it('the sentinel can be reached if it is allowed', async () => {
    const { send, close } = senderOn(`${OTHER}/${OTHER.includes(':') ? 128 : 32}`);
    expect(await send(sentinel.url)).toMatchObject({ status: 204, address: OTHER });
    expect(sentinel.connections()).toBe(1);
    await close();
  });

  it('the next address is dialled if one refuses the connection', async () => {
    const { send, close } = senderOn('127.0.0.1/32,::1/128', () => ['::1', '127.0.0.1']);
    const alone = await startReceiver();
    expect(await send(`http://two.example.com:${alone.port}/`)).toMatchObject({ status: 204, address: '127.0.0.1' });
    await alone.close();
    const fresh = senderOn('127.0.0.1/32,::1/128', () => ['::1', '127.0.0.1']);
    expect(await fresh.send(`http://two.example.com:${alone.port}/`)).toMatchObject({
      status: null,
      error: 'connection_failed',
      address: '127.0.0.1',
    });
    await close();
    await fresh.close();
  });
});
