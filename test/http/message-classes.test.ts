import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Express, type Request, type Response } from 'express';
import { afterEach, expect, it } from 'vitest';

import { messageClasses } from '../../src/adapters/http/serving/listener/listener.ts';

const servers: ReturnType<typeof createServer>[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Opens a server for the app. Gives its address, and the prototypes that were replaced after it took a request. */
const serve = async (app: Express, classes: Partial<ReturnType<typeof messageClasses>>) => {
  const replaced: string[] = [];
  const server = createServer(classes, (request, response) => {
    const before = [Object.getPrototypeOf(request), Object.getPrototypeOf(response)];
    app(request as Request, response as Response);
    const after = [Object.getPrototypeOf(request), Object.getPrototypeOf(response)];
    if (before[0] !== after[0]) replaced.push('request');
    if (before[1] !== after[1]) replaced.push('response');
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, replaced };
};

const greeter = (): Express => {
  const app = express().disable('x-powered-by');
  app.get('/greet/:name', (request, response) => {
    response
      .status(201)
      .json({ path: request.path, name: request.params.name, same: request.app === app && response.app === app });
  });
  return app;
};

it('Express finds the prototypes of a request and of a response as it would make them', async () => {
  const app = greeter();
  const { url, replaced } = await serve(app, messageClasses(app));
  const answer = await fetch(`${url}/greet/saw`);
  expect(answer.status).toBe(201);
  expect(await answer.json()).toEqual({ path: '/greet/saw', name: 'saw', same: true });
  expect(replaced).toEqual([]);
});

it('and without these classes it replaces both', async () => {
  const app = greeter();
  const { url, replaced } = await serve(app, {});
  expect((await fetch(`${url}/greet/saw`)).status).toBe(201);
  expect(replaced).toEqual(['request', 'response']);
});
