import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { runCommand } from '../../support/command-line.ts';
import { eventually } from '../../support/eventually.ts';
import { respond, startReceiver, type Answer, type Receiver } from '../../support/receiver.ts';

const ID = '01a20000-0000-7000-8000-000000000001';
const store = { id: ID, domain: 'shop.test' };

let server: Receiver;
beforeAll(async () => {
  server = await startReceiver();
});
afterAll(() => server.close());

const json = (body: object): Answer => respond(200, JSON.stringify(body), { 'content-type': 'application/json' });
const frame = (type: string): string =>
  `data: ${JSON.stringify({ kind: 'event', id: ID, type, resourceId: 'o-1', requestId: null, at: '2026-11-24T12:00:00.000Z' })}\n\n`;
const STREAM = { 'content-type': 'text/event-stream' };

/** A stream with one event, which is cut without an end. */
const cutAfter =
  (type: string): Answer =>
  (response) => {
    response.writeHead(200, STREAM).write(frame(type), () => setTimeout(() => response.socket?.resetAndDestroy(), 20));
  };
const open =
  (type: string): Answer =>
  (response) => {
    response.writeHead(200, STREAM).write(frame(type));
  };

/** Runs `events tail` until it has shown the text, or has ended by itself. */
const tail = async (text: string, ...answers: Answer[]) => {
  server.answer(json({ items: [store], total: 1 }), ...answers);
  const interruption = new AbortController();
  let out = '';
  const env = { TENON_ADMIN_URL: server.url, TENON_ADMIN_TOKEN: 'token' };
  const options = { env, interrupted: interruption.signal, onOut: (written: string) => (out += written) };
  const running = runCommand(['events', 'tail'], options);
  let hasEnded = false;
  void running.then(() => (hasEnded = true));
  await eventually(() => expect(hasEnded || out.includes(text)).toBe(true));
  interruption.abort('SIGINT');
  return running;
};

describe('tenon events tail', () => {
  it('continues after its first connection was cut, also while a proxy says that the server is away', async () => {
    const { status, out, err } = await tail(
      'order.paid',
      cutAfter('order.created'),
      respond(502),
      respond(503),
      open('order.paid'),
    );
    expect(out).toMatch(/order\.created.*\n.*order\.paid/);
    expect(err).toBe('The server closed the stream. Reconnecting.\nConnected to the server again.\n');
    expect(status).toBe(130);
  });

  it('ends when the server refuses it, and when it was never reached', async () => {
    expect(await tail('never', cutAfter('order.created'), respond(401))).toMatchObject({ status: 4 });
    expect(await tail('never', respond(502))).toMatchObject({ status: 1, err: 'tenon: The server answered 502.\n' });
  });
});
