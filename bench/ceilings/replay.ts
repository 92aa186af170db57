import { createHash } from 'node:crypto';
import express from 'express';

import { serveCeiling, sendJson } from './serve.ts';

interface Remembered {
  readonly fingerprint: Buffer;
  readonly body: Buffer;
}

const REMEMBERED = 'SELECT fingerprint, body FROM idempotency_records WHERE store_id = $1 AND installation_id = $2 AND key = $3';

/** The replay by hand: one SELECT of what is remembered, if the request is the same. */
serveCeiling(({ app, database, asCaller }) => {
  app.post(
    '/apps/catalog/products/bulk',
    express.raw({ type: '*/*', limit: '2mb' }),
    asCaller(async (req, res, { storeId, installationId }) => {
      const fingerprint = createHash('sha256')
        .update(`${req.method} ${req.path}\n`)
        .update(req.body as Buffer)
        .digest();
      const values = [storeId, installationId, req.headers['idempotency-key']];
      const { rows } = await database.query<Remembered>({ name: 'remembered', text: REMEMBERED, values });
      if (!rows[0]?.fingerprint.equals(fingerprint)) {
        res.status(422).end();
        return;
      }
      res.setHeader('Idempotent-Replay', 'true');
      sendJson(res, rows[0].body);
    }),
  );
});
