import express from 'express';
import Fastify from 'fastify';
import { createServer } from 'node:http';
import request from 'supertest';
import { describe, expect, it } from 'vitest';

import { toExpress } from '../src/express.ts';
import { toFastify } from '../src/fastify.ts';
import { receiver, sign } from '../src/webhooks.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
// The blanks are lost when the body is parsed and serialised again.
const BODY = '{ "id": "1", "type": "order.paid", "timestamp": "", "storeId": "s", "data": { "total": 49.90 } }';

const aReceiver = () => {
  const totals: unknown[] = [];
  const errors: unknown[] = [];
  const hooks = receiver({ secrets: [SECRET], onError: (error) => errors.push(error) });
  return { hooks: hooks.on('order.paid', ({ data }) => totals.push(data['total'])), totals, errors };
};
const headers = () => sign(SECRET, { id: '1', body: BODY });

describe('toExpress', () => {
  const deliver = async (app: Parameters<typeof request>[0], body = BODY) =>
    request(app)
      .post('/hooks')
      .set(await headers())
      .send(body);

  it.each<[string, express.RequestHandler | null]>([
    ['without a parser', null],
    ['after express.raw()', express.raw({ type: '*/*' })],
    ['after express.text()', express.text({ type: '*/*' })],
  ])('accepts a delivery %s', async (_, parser) => {
    const { hooks, totals } = aReceiver();
    const app = express();
    if (parser) app.use(parser);
    app.post('/hooks', toExpress(hooks));
    expect((await deliver(app)).status).toBe(204);
    expect(totals).toEqual([49.9]);
    const refused = await deliver(app, `${BODY} `);
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('does not match')]);
  });

  it('says what to do when express.json() ran first', async () => {
    const { hooks, totals, errors } = aReceiver();
    const app = express();
    app.use(express.json());
    app.post('/hooks', toExpress(hooks));
    const answer = await deliver(app);
    expect([answer.status, answer.text]).toEqual([
      500,
      expect.stringContaining('before any body parser, such as express.json()'),
    ]);
    expect([totals, errors.length]).toEqual([[], 1]);
  });

  it('leaves the bodies of other routes to their parsers', async () => {
    const app = express();
    app.post('/hooks', toExpress(aReceiver().hooks));
    app.use(express.json());
    app.post('/other', (req, res) => void res.json(req.body));
    expect((await request(app).post('/other').send({ a: 1 })).body).toEqual({ a: 1 });
  });

  it('is a handler of node:http too', async () => {
    const { hooks, totals } = aReceiver();
    const handle = toExpress(hooks);
    expect((await deliver(createServer((req, res) => void handle(req, res)))).status).toBe(204);
    expect(totals).toEqual([49.9]);
  });
});

describe('toFastify', () => {
  it('accepts a delivery, and leaves the parser of other routes as it is', async () => {
    const { hooks, totals } = aReceiver();
    const app = Fastify();
    await app.register(toFastify(hooks, '/hooks'));
    app.post('/other', (req) => req.body);
    const delivered = await app.inject({ method: 'POST', url: '/hooks', headers: await headers(), payload: BODY });
    expect([delivered.statusCode, delivered.body, totals]).toEqual([204, '', [49.9]]);
    const refused = await app.inject({ method: 'POST', url: '/hooks', headers: await headers(), payload: `${BODY} ` });
    expect([refused.statusCode, refused.body]).toEqual([400, expect.stringContaining('does not match')]);
    const other = await app.inject({ method: 'POST', url: '/other', payload: { a: 1 } });
    expect(other.json()).toEqual({ a: 1 });
    await app.close();
  });
});
