import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import request from 'supertest';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { route } from '../../src/adapters/http/route.ts';
import { InFlight } from '../../src/adapters/http/serving/listener/in-flight.ts';
import { ok } from '../../src/domain/result.ts';
import { memoryHttpApp } from '../support/http-app.ts';
import { latch } from '../support/latch.ts';

const answer = z.object({ done: z.boolean() });

/** A server whose requests are answered when the test lets them. */
const aServer = () => {
  const [arrived, held] = [latch(), latch()];
  const inFlight = new InFlight();
  const hold = async () => {
    arrived.open();
    await held.opened;
    return ok({ done: true });
  };
  const base = (path: string) => route.get(path, 'wait').public('Operations').errors('plain').summary('Wait');
  const routes = [
    base('/work').returns(200, answer).handle(hold),
    base('/wait')
      .returns(200, answer)
      .handle((_app, { context }) => {
        context.mayTake(60);
        return hold();
      }),
    route
      .post('/import', 'readFile')
      .public('Operations')
      .errors('plain')
      .summary('Read a file')
      .streams('text/csv')
      .returns(200, answer)
      .handle(hold),
  ];
  return { inFlight, arrived, held, app: memoryHttpApp({ routes, inFlight }) };
};

/** The age of the oldest request, this many seconds from now, in whole seconds. */
const oldestIn = (inFlight: InFlight, seconds: number): number =>
  Math.floor(inFlight.oldestSeconds(performance.now() + seconds * 1000));

describe('the age of the oldest request', () => {
  it.each([
    ['counts from its arrival until it is answered', 'get', '/work', 100],
    ['counts beyond the time that it waits on purpose', 'get', '/wait', 40],
    ['does not count a file that the client sends at its own pace', 'post', '/import', 0],
  ] as const)('%s', async (_title, method, path, age) => {
    const { inFlight, arrived, held, app } = aServer();
    const sending = method === 'get' ? request(app).get(path) : request(app).post(path);
    const answered = sending.set('content-type', 'text/csv').then(({ status }) => status);
    await arrived.opened;
    expect(oldestIn(inFlight, 100)).toBe(age);
    held.open();
    expect(await answered).toBe(200);
    expect(oldestIn(inFlight, 100)).toBe(0);
  });

  it.each([
    ['counts on when the client has left, until the handler has ended', '/work', 100],
    ['does not count the intended wait of a request whose client has left', '/wait', 40],
  ])('%s', async (_title, path, age) => {
    const { inFlight, arrived, held, app } = aServer();
    const left = latch();
    const server = createServer((req, res) => {
      res.once('close', () => left.open());
      app(req, res);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const client = get({ host: '127.0.0.1', port, path }).on('error', () => undefined);
    await arrived.opened;
    client.destroy();
    await left.opened;
    expect(oldestIn(inFlight, 100)).toBe(age);
    held.open();
    await expect.poll(() => oldestIn(inFlight, 100)).toBe(0);
    server.close();
  });

  it('is that of the oldest of those that have no answer yet', () => {
    const inFlight = new InFlight();
    const answered = inFlight.begin({ headersSent: true }, 0);
    const first = inFlight.begin({ headersSent: false }, 1_000);
    inFlight.begin({ headersSent: false }, 5_000);
    expect(inFlight.oldestSeconds(11_000)).toBe(10);
    first.endPart();
    answered.endPart();
    expect(inFlight.oldestSeconds(11_000)).toBe(6);
  });
});
