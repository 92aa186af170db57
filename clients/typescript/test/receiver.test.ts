import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { receiver, sign, type ReceiverOptions } from '../src/webhooks.ts';

afterEach(() => vi.restoreAllMocks());

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const OTHER = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const ID = '019a8f3e-6c1b-7d42-9a55-2f0c7e1b4d90';
const BODY = JSON.stringify({
  id: ID,
  type: 'product.updated',
  timestamp: '2026-11-21T17:32:11.402Z',
  storeId: 's',
  data: { id: 'p', changedFields: ['name'], previous: { name: 'Säge' }, current: { name: 'Hobel' }, origin: null },
});

const request = (headers: Record<string, string>, body = BODY, method = 'POST') =>
  new Request('https://app.example/hooks', { method, headers, ...(method === 'POST' && { body }) });
const signed = async (secret: string | string[] = SECRET, body = BODY, at?: Date) =>
  request(await sign(secret, { id: ID, body, at }), body);
const aReceiver = <Tx = undefined>(options: Partial<ReceiverOptions<Tx>> = {}) => {
  const names: string[] = [];
  const errors: unknown[] = [];
  const hooks = receiver<Tx>({ secrets: [SECRET], onError: (error) => errors.push(error), ...options });
  return { hooks: hooks.on('product.updated', ({ data }) => names.push(data.current?.name ?? '')), names, errors };
};

describe('the published vectors of Standard Webhooks', () => {
  const VECTOR = {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    body: '{"test": 2432232314}',
    at: new Date(1_614_265_330_000),
    signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  };

  it.each([SECRET, SECRET.replace('whsec_', '')])('are what sign gives, with and without the prefix: %s', async (secret) => {
    expect((await sign(secret, VECTOR))['webhook-signature']).toBe(VECTOR.signature);
  });

  it('are accepted at their time', async () => {
    vi.spyOn(Date, 'now').mockReturnValue(VECTOR.at.getTime());
    const { hooks } = aReceiver();
    const headers = { 'webhook-id': VECTOR.id, 'webhook-timestamp': '1614265330', 'webhook-signature': VECTOR.signature };
    expect((await hooks.fetch(request(headers, VECTOR.body))).status).toBe(204);
  });
});

describe('the published library', () => {
  it('accepts what sign gives', async () => {
    const headers = await sign([OTHER, SECRET], { id: ID, body: BODY });
    expect(new Webhook(SECRET).verify(BODY, headers)).toMatchObject({ id: ID });
    expect(new Webhook(OTHER).verify(BODY, headers)).toMatchObject({ id: ID });
  });

  it.each([BODY, '{"id":"x","type":"ping","text":"Ünïcödé 🙂"}'])('gives what the receiver accepts: %s', async (body) => {
    const at = new Date();
    const signature = new Webhook(SECRET).sign(ID, at, body);
    const time = String(Math.floor(at.getTime() / 1_000));
    const { hooks } = aReceiver();
    const headers = { 'webhook-id': ID, 'webhook-timestamp': time, 'webhook-signature': signature };
    expect((await hooks.fetch(request(headers, body))).status).toBe(204);
  });
});

describe('a delivery is accepted', () => {
  it('and its event goes to the handler of its type', async () => {
    const { hooks, names } = aReceiver();
    expect((await hooks.fetch(await signed())).status).toBe(204);
    expect(names).toEqual(['Hobel']);
  });

  it.each([
    ['the new secret, signed by both', [SECRET], [OTHER, SECRET]],
    ['the old secret, signed by both', [OTHER], [OTHER, SECRET]],
    ['both secrets, signed by the old one', [SECRET, OTHER], [OTHER]],
    ['a previous secret that is not set', [SECRET, undefined, ''], [SECRET]],
  ])('while secrets rotate, by %s', async (_, secrets, by) => {
    const { hooks, names } = aReceiver({ secrets });
    expect((await hooks.fetch(await signed(by))).status).toBe(204);
    expect(names).toHaveLength(1);
  });

  it.each([-299, 299])('when the clocks differ by %i seconds', async (seconds) => {
    const { hooks } = aReceiver();
    expect((await hooks.fetch(await signed(SECRET, BODY, new Date(Date.now() + seconds * 1_000)))).status).toBe(204);
  });

  it('when no handler is interested in its type', async () => {
    const hooks = receiver({ secrets: [SECRET] });
    expect((await hooks.fetch(await signed())).status).toBe(204);
  });
});

describe('a delivery is refused', () => {
  const refusal = async (delivery: Request, options: Partial<ReceiverOptions<undefined>> = {}) => {
    const { hooks, names, errors } = aReceiver(options);
    const answer = await hooks.fetch(delivery);
    expect([names, errors]).toEqual([[], []]);
    return `${String(answer.status)} ${await answer.text()}`;
  };
  const headers = (more: Record<string, string> = {}) =>
    sign(SECRET, { id: ID, body: BODY }).then((own) => ({ ...own, ...more }));

  it('with another secret', async () => {
    expect(await refusal(await signed(OTHER))).toMatch(/^400 The signature does not match[.] Check that the signing secret/);
  });

  it('with another body, another id or another time', async () => {
    const soon = String(Math.floor(Date.now() / 1_000) + 7);
    expect(await refusal(request(await headers(), `${BODY} `))).toMatch(/^400 The signature/);
    expect(await refusal(request(await headers({ 'webhook-id': 'other' })))).toMatch(/^400 The signature/);
    expect(await refusal(request(await headers({ 'webhook-timestamp': soon })))).toMatch(/^400 The signature/);
  });

  it.each([-400, 400])('when the clocks differ by %i seconds', async (seconds) => {
    const at = new Date(Date.now() + seconds * 1_000);
    expect(await refusal(await signed(SECRET, BODY, at))).toMatch(
      /^400 The delivery was signed (399|40[01]) seconds (ago|ahead)/,
    );
  });

  it('within a tolerance of its own', async () => {
    const at = new Date(Date.now() - 30_000);
    expect(await refusal(await signed(SECRET, BODY, at), { tolerance: 10 })).toMatch(/which is more than 10[.]/);
  });

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('without %s', async (name) => {
    const { [name]: _, ...others } = await headers();
    expect(await refusal(request(others))).toMatch(/^400 The headers/);
  });

  it.each(['', 'v1', 'v1,', 'v1,%%%', 'v2,AAAA', 'v1a,AAAA', 'v1,AAAA v1,AAAA', ','])(
    'with the signature "%s"',
    async (signature) => {
      expect(await refusal(request(await headers({ 'webhook-signature': signature })))).toMatch(/^400 The (signature|headers)/);
    },
  );

  it('after one hash for each secret, however many signatures its sender invents', async () => {
    const hashes = [vi.spyOn(crypto.subtle, 'sign'), vi.spyOn(crypto.subtle, 'verify')];
    const delivery = request(await headers({ 'webhook-signature': 'v1,AAAA '.repeat(1_900).trim() }));
    for (const spy of hashes) spy.mockClear();
    expect(await refusal(delivery, { secrets: [SECRET, OTHER] })).toMatch(/^400 The signature/);
    expect(hashes.reduce((count, { mock }) => count + mock.calls.length, 0)).toBe(2);
  });

  it('when its signature is behind 32 others', async () => {
    const { 'webhook-signature': right = '' } = await headers();
    const behind = (others: number) => headers({ 'webhook-signature': `${'v1,AAAA '.repeat(others)}${right}` });
    expect(await refusal(request(await behind(32)))).toMatch(/^400 The signature/);
    const { hooks, names } = aReceiver();
    expect((await hooks.fetch(request(await behind(31)))).status).toBe(204);
    expect(names).toEqual(['Hobel']);
  });

  it.each(['now', '-5', '1e9', '1795282331.5', ' '])('with the time "%s"', async (time) => {
    expect(await refusal(request(await headers({ 'webhook-timestamp': time })))).toMatch(/^400 (webhook-timestamp|The headers)/);
  });

  it('when it is not JSON, though it is signed', async () => {
    expect(await refusal(await signed(SECRET, 'no JSON'))).toBe('400 The body is not JSON.');
  });

  it('with 413 as soon as it is longer than any delivery', async () => {
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        sent += 65_536;
        controller.enqueue(new Uint8Array(65_536));
      },
    });
    const long = new Request('https://app.example', { method: 'POST', body: endless, duplex: 'half' });
    expect(await refusal(long)).toBe('413 The body must not exceed 1048576 bytes.');
    expect(sent).toBeLessThan(2_000_000);
  });

  it('with 405 when it is not a POST', async () => {
    const { hooks } = aReceiver();
    const answer = await hooks.fetch(request({}, '', 'GET'));
    expect([answer.status, answer.headers.get('Allow')]).toEqual([405, 'POST']);
  });
});

describe('a handler', () => {
  it('that fails is answered with 500 without a word of the error, which onError gets', async () => {
    const failing = new Error('the database is gone');
    const errors: unknown[] = [];
    const hooks = receiver({ secrets: [SECRET], onError: (error, event) => errors.push([error, event?.id]) }).on(
      'product.updated',
      async () => {
        throw failing;
      },
    );
    const answer = await hooks.fetch(await signed());
    expect([answer.status, await answer.text(), errors]).toEqual([500, 'The handler failed.', [[failing, ID]]]);
  });

  it('is one for each type', () => {
    const hooks = receiver({ secrets: [SECRET] }).on(['order.paid', 'order.shipped'], () => undefined);
    expect(() => hooks.on('order.shipped', () => undefined)).toThrow('order.shipped has a handler already');
  });

  it('of all other types gets types that this version does not know', async () => {
    const types: string[] = [];
    const hooks = receiver({ secrets: [SECRET] }).otherwise(({ type }) => types.push(type));
    await hooks.handle({ id: '1', type: 'moon.rose', timestamp: '', storeId: '', data: {} });
    expect(types).toEqual(['moon.rose']);
  });

  it('that fails for an event of the feed rejects handle', async () => {
    const hooks = receiver({ secrets: [SECRET] }).otherwise(async () => {
      throw new Error('no');
    });
    await expect(hooks.handle({ id: '1', type: 'ping', timestamp: '', storeId: '', data: {} })).rejects.toThrow('no');
  });
});

describe('once', () => {
  /** A store of ids with transactions that roll back, and wait for each other. */
  const aDatabase = () => {
    const committed = new Set<string>();
    let turn: Promise<unknown> = Promise.resolve();
    const begin = (work: (tx: Set<string>) => Promise<void>): Promise<void> => {
      const run = turn.then(async () => {
        const tx = new Set(committed);
        await work(tx);
        tx.forEach((id) => committed.add(id));
      });
      turn = run.catch(() => undefined);
      return run;
    };
    const seen = (tx: Set<string>, id: string): boolean => tx.has(id) || !tx.add(id);
    return { committed, once: { begin, seen } };
  };

  it('handles an event once, though it comes twice at the same time and again by the feed', async () => {
    const { once, committed } = aDatabase();
    const { hooks, names } = aReceiver({ once });
    const answers = await Promise.all([hooks.fetch(await signed()), hooks.fetch(await signed())]);
    await hooks.handle(JSON.parse(BODY) as never);
    expect(answers.map(({ status }) => status)).toEqual([204, 204]);
    expect([names, [...committed]]).toEqual([['Hobel'], [ID]]);
  });

  it('commits the mark and the work together: an event whose handler failed is handled when it comes again', async () => {
    const { once, committed } = aDatabase();
    let failures = 1;
    const hooks = receiver({ secrets: [SECRET], once, onError: () => undefined }).on(
      'product.updated',
      async (_event, { tx }) => {
        tx.add('work');
        if (failures-- > 0) throw new Error('no');
      },
    );
    expect((await hooks.fetch(await signed())).status).toBe(500);
    expect([...committed]).toEqual([]);
    expect((await hooks.fetch(await signed())).status).toBe(204);
    expect([...committed].sort()).toEqual([ID, 'work']);
  });

  describe('of a gathered delivery', () => {
    const EARLIER = ['019a8f3e-6c1b-7d42-9a55-000000000001', '019a8f3e-6c1b-7d42-9a55-000000000002'];
    const body = JSON.parse(BODY) as { readonly data: object };
    const gathered = (events: readonly unknown[]) =>
      JSON.stringify({ ...body, data: { ...body.data, gathered: events.length, events } });

    it('handles no event again that the feed has by itself', async () => {
      const { once, committed } = aDatabase();
      const { hooks, names } = aReceiver({ once });
      expect((await hooks.fetch(await signed(SECRET, gathered([...EARLIER, ID])))).status).toBe(204);
      expect([...committed].sort()).toEqual([...EARLIER, ID].sort());
      for (const id of [...EARLIER, ID]) await hooks.handle({ ...body, id } as never);
      expect(names).toEqual(['Hobel']);
    });

    it('handles it though the feed has brought the earlier ones, and marks none when it fails', async () => {
      const { once, committed } = aDatabase();
      const { hooks, names } = aReceiver({ once });
      await hooks.handle({ ...body, id: EARLIER[0] } as never);
      const failing = receiver({ secrets: [SECRET], once, onError: () => undefined }).otherwise(() =>
        Promise.reject(new Error('no')),
      );
      expect((await failing.fetch(await signed(SECRET, gathered([...EARLIER, ID])))).status).toBe(500);
      expect([...committed]).toEqual([EARLIER[0]]);
      expect((await hooks.fetch(await signed(SECRET, gathered([...EARLIER, ID])))).status).toBe(204);
      expect(names).toHaveLength(2);
    });

    it.each([[['a', 'b']], [[{ id: ID }]], [[]]])('marks nothing of another list of this name: %j', async (events) => {
      const { once, committed } = aDatabase();
      const { hooks } = aReceiver({ once });
      expect((await hooks.fetch(await signed(SECRET, gathered(events)))).status).toBe(204);
      expect([...committed]).toEqual([ID]);
    });
  });

  it('answers 500 when the transaction cannot begin', async () => {
    const begin = () => Promise.reject(new Error('no connection'));
    const { hooks, errors } = aReceiver({ once: { begin, seen: () => false } });
    expect((await hooks.fetch(await signed())).status).toBe(500);
    expect(errors).toHaveLength(1);
  });
});

describe('a body that was read before', () => {
  it('is answered with what to do, and so is onError', async () => {
    const { hooks, errors } = aReceiver();
    const delivery = await signed();
    await delivery.json();
    const answer = await hooks.fetch(delivery);
    expect([answer.status, await answer.text()]).toEqual([
      500,
      expect.stringContaining('Put the receiver before any body parser'),
    ]);
    expect(errors).toMatchObject([{ message: expect.stringContaining('was read before the receiver') }]);
  });

  it('whose stream breaks is refused', async () => {
    const broken = new ReadableStream({ start: (controller) => controller.error(new Error('reset')) });
    const { hooks, errors } = aReceiver();
    const answer = await hooks.fetch(new Request('https://x', { method: 'POST', body: broken, duplex: 'half' }));
    expect([answer.status, errors.length]).toEqual([400, 1]);
  });
});

describe('a receiver is not made', () => {
  it.each([[[]], [[undefined]], [['']], [['whsec_%%%']], [['whsec_']]])('with the secrets %j', (secrets) => {
    expect(() => receiver({ secrets })).toThrow(TypeError);
  });
  it('and its error does not repeat the secret', () => {
    expect(() => receiver({ secrets: ['hunter-2-%'] })).toThrow(/^(?!.*hunter)/);
  });
});
