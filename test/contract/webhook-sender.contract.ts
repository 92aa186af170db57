import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { WebhookRequest, WebhookSender } from '../../src/domain/ports/webhooks/webhook-sender.ts';

export interface SenderWorld {
  readonly sender: WebhookSender;
  /**
   * A receiver at 127.0.0.1, which is allowed. `private.example.com` and 10.0.0.1 are not allowed.
   * `mixed.example.com` has a public and a private address.
   */
  readonly url: string;
  /** Requests that the receiver saw, in order. */
  arrived(): readonly { readonly headers: Readonly<Record<string, string>>; readonly body: string }[];
  /** Waits until the receiver has seen this many requests. */
  seen(count: number): Promise<void>;
  /** Sets the receiver's answer from now on; with `silence` it does not answer. */
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
    // Long enough for a busy machine. The test of the timeout has a shorter one.
    beforeEach(async () => {
      world = await open(60);
    });
    afterEach(async () => world.close());

    const aRequest = (url: string): WebhookRequest => ({
      subscriptionId: 'one',
      askedBy: 'app',
      url,
      headers: { 'content-type': 'application/json', 'webhook-id': 'msg_1' },
      body: '{"é":1}',
    });
    const send = (url = world.url) => world.sender.send(aRequest(url), never());

    describe('send', () => {
      it('Sends one POST request.', async () => {
        expect(await send()).toMatchObject({ status: 200, error: null, body: '' });
        expect(world.arrived()).toEqual([
          { headers: expect.objectContaining({ 'content-type': 'application/json', 'webhook-id': 'msg_1' }), body: '{"é":1}' },
        ]);
      });

      it("Refuses a URL when one of its host's addresses is not allowed, also a literal address.", async () => {
        const refused = ['https://private.example.com/', 'https://mixed.example.com/', 'https://10.0.0.1/', 'http://8.8.8.8/'];
        for (const url of refused) {
          expect(await send(url), url).toMatchObject({ status: null, error: 'address_not_allowed', address: null });
        }
      });

      it('Connects to an address that was checked.', async () => {
        expect(await send()).toMatchObject({ error: null, address: '127.0.0.1' });
        expect(world.arrived()).toHaveLength(1);
      });

      it('Does not follow redirects.', async () => {
        world.answers({ status: 307, headers: { location: world.url } });
        expect(await send()).toMatchObject({ status: 307, error: null });
        expect(world.arrived()).toHaveLength(1);
      });

      it('Keeps 4 KiB of the response.', async () => {
        world.answers({ status: 202, body: 'x'.repeat(1_000_000) });
        expect(await send()).toMatchObject({ status: 202, error: null, body: 'x'.repeat(4096) });
      });

      it('Returns `timeout` when the attempt takes longer than it may.', async () => {
        const impatient = await open(1);
        impatient.answers('silence');
        expect(await impatient.sender.send(aRequest(impatient.url), never())).toMatchObject({
          status: null,
          error: 'timeout',
          body: null,
        });
        await impatient.close();
      });

      it('Returns what went wrong as an outcome.', async () => {
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

      it('Returns null when it was aborted before it ended.', async () => {
        world.answers('silence');
        const stop = new AbortController();
        const sending = world.sender.send(aRequest(world.url), stop.signal);
        await world.seen(1);
        stop.abort();
        expect(await sending).toBeNull();
        expect(await world.sender.send(aRequest(world.url), stop.signal)).toBeNull();
        expect(world.arrived()).toHaveLength(1);
      });
    });

    describe('close', () => {
      it('Aborts all attempts.', async () => {
        world.answers('silence');
        const sending = send();
        await world.seen(1);
        await world.sender.close();
        expect(await sending).toBeNull();
        expect(await send()).toBeNull();
      });
    });
  });
};
