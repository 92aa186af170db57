import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { WebhookRequest, WebhookSender } from '../../src/domain/ports/webhook-sender.ts';

export interface SenderWorld {
  readonly sender: WebhookSender;
  /** A receiver at 127.0.0.1 that may be reached. `private.example.com` and 10.0.0.1 may not, and `mixed.example.com` has a public address and a private one. */
  readonly url: string;
  /** What the receiver saw, in order. */
  arrived(): readonly { readonly headers: Readonly<Record<string, string>>; readonly body: string }[];
  /** Waits until the receiver has seen so many requests. */
  seen(count: number): Promise<void>;
  /** What the receiver answers from now on; `silence` is to answer nothing. */
  answers(
    answer: { readonly status: number; readonly body?: string; readonly headers?: Record<string, string> } | 'silence',
  ): void;
  close(): Promise<void>;
}

const never = (): AbortSignal => new AbortController().signal;

/** `open` makes a sender whose attempts may take `timeoutSeconds`. */
export const webhookSenderContract = (name: string, open: (timeoutSeconds: number) => Promise<SenderWorld>) => {
  describe(`WebhookSender on ${name}`, () => {
    let world: SenderWorld;
    // Long enough for a busy machine to answer in; the test of the timeout has a shorter one.
    beforeEach(async () => {
      world = await open(60);
    });
    afterEach(async () => world.close());

    const aRequest = (url: string): WebhookRequest => ({
      subscriptionId: 'one',
      url,
      headers: { 'content-type': 'application/json', 'webhook-id': 'msg_1' },
      body: '{"é":1}',
    });
    const send = (url = world.url) => world.sender.send(aRequest(url), never());

    it('posts once', async () => {
      expect(await send()).toMatchObject({ status: 200, error: null, body: '' });
      expect(world.arrived()).toEqual([
        { headers: expect.objectContaining({ 'content-type': 'application/json', 'webhook-id': 'msg_1' }), body: '{"é":1}' },
      ]);
    });

    it("every address of the URL's host is judged, a literal one too, and the judged one is dialled", async () => {
      expect(await send()).toMatchObject({ error: null, address: '127.0.0.1' });
      const refused = ['https://private.example.com/', 'https://mixed.example.com/', 'https://10.0.0.1/', 'http://8.8.8.8/'];
      for (const url of refused) {
        expect(await send(url), url).toMatchObject({ status: null, error: 'address_not_allowed', address: null });
      }
    });

    it('redirects are not followed', async () => {
      world.answers({ status: 307, headers: { location: world.url } });
      expect(await send()).toMatchObject({ status: 307, error: null });
      expect(world.arrived()).toHaveLength(1);
    });

    it("at most 16 KiB of the response is read, all within the attempt's time", async () => {
      world.answers({ status: 202, body: 'x'.repeat(1_000_000) });
      expect(await send()).toMatchObject({ status: 202, error: null, body: 'x'.repeat(4096) });
      const impatient = await open(1);
      impatient.answers('silence');
      expect(await impatient.sender.send(aRequest(impatient.url), never())).toMatchObject({
        status: null,
        error: 'timeout',
        body: null,
      });
      await impatient.close();
    });

    it('what goes wrong is an outcome', async () => {
      world.answers({ status: 503, body: 'busy', headers: { 'retry-after': '120' } });
      expect(await send()).toMatchObject({ status: 503, error: null, body: 'busy', retryAfterSeconds: 120 });
      expect(await send('https://nowhere.example.com/')).toEqual({
        status: null,
        error: 'name_not_resolved',
        address: null,
        body: null,
        retryAfterSeconds: null,
        durationMs: expect.any(Number),
      });
    });

    it('null when it was aborted before it ended', async () => {
      world.answers('silence');
      const stop = new AbortController();
      const sending = world.sender.send(aRequest(world.url), stop.signal);
      await world.seen(1);
      stop.abort();
      expect(await sending).toBeNull();
      expect(await world.sender.send(aRequest(world.url), stop.signal)).toBeNull();
      expect(world.arrived()).toHaveLength(1);
    });

    it('closes what is open', async () => {
      world.answers('silence');
      const sending = send();
      await world.seen(1);
      await world.sender.close();
      expect(await sending).toBeNull();
      expect(await send()).toBeNull();
    });

    it('whole milliseconds', async () => {
      const response = await send();
      expect(Number.isInteger(response?.durationMs)).toBe(true);
    });
  });
};
