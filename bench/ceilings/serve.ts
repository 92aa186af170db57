import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Express, type Request, type Response } from 'express';
import pg from 'pg';

import { answerParent } from '../support/parent.ts';

/** Who calls with the token of the bench. */
export interface Caller {
  readonly storeId: string;
  readonly installationId: string;
}

export interface CeilingRequest {
  /**
   * The callers by their token where the ceiling looks no further than a map; null where it asks
   * the database for each request.
   */
  readonly known: Readonly<Record<string, Caller>> | null;
  /** Further facts that are known beforehand. */
  readonly facts: Readonly<Record<string, string>>;
}

export type Handler = (req: Request, res: Response, caller: Caller) => Promise<void>;

export interface Kitchen {
  readonly app: Express;
  readonly database: pg.Pool;
  readonly facts: Readonly<Record<string, string>>;
  /** Parameters for the look-up of the token: its hash and the host. */
  readonly credentials: (req: Request) => readonly [hash: Buffer, host: string];
  /** Answers 401 where the token doesn't hold. */
  readonly asCaller: (handler: Handler) => (req: Request, res: Response) => Promise<void>;
}

const TOKEN = `SELECT i.store_id AS "storeId", i.id AS "installationId"
  FROM stores s JOIN access_tokens t ON t.store_id = s.id JOIN installations i ON i.store_id = s.id AND i.id = t.installation_id
  WHERE t.hash = $1 AND t.expires_at > now() AND i.status = 'Installed' AND s.status = 'Active' AND s.domain = $2`;

/** A number of the query. */
export const whole = (value: unknown, fallback: number): number => (typeof value === 'string' ? Number(value) : fallback);

export const sendJson = (res: Response, text: string | Buffer): void => {
  const body = typeof text === 'string' ? Buffer.from(text) : text;
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.setHeader('Content-Length', body.length);
  res.end(body);
};

/**
 * A ceiling of express and pg alone, a process of its own: what one would write by hand for these
 * routes and nothing else.
 */
export const serveCeiling = (mount: (kitchen: Kitchen) => void): void => {
  answerParent(async ({ known, facts }: CeilingRequest) => {
    const database = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 20 });
    // The server goes when the bench does, which then reports the cause.
    database.on('error', () => process.exit(1));
    const tokenOf = (req: Request): string => (req.headers.authorization ?? '').slice('Bearer '.length);
    const credentials: Kitchen['credentials'] = (req) => [
      createHash('sha256').update(tokenOf(req)).digest(),
      req.headers.host ?? '',
    ];
    const lookUp = async (req: Request): Promise<Caller | undefined> =>
      known
        ? known[tokenOf(req)]
        : (await database.query<Caller>({ name: 'token', text: TOKEN, values: [...credentials(req)] })).rows[0];
    const app = express().disable('x-powered-by').disable('etag');
    mount({
      app,
      database,
      facts,
      credentials,
      asCaller: (handler) => async (req, res) => {
        const caller = await lookUp(req);
        if (caller) await handler(req, res, caller);
        else res.status(401).end();
      },
    });
    const server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  });
};
