import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import express from 'express';

import { serveCeiling, sendJson } from './serve.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const TOKEN_SECONDS = 3600;

const CLIENT = `SELECT i.store_id AS "storeId", i.id, i.scopes, c.hash FROM stores s JOIN installations i ON i.store_id = s.id
  JOIN client_secrets c ON c.store_id = i.store_id AND c.installation_id = i.id AND (c.expires_at IS NULL OR c.expires_at > now())
  WHERE i.client_id = $1 AND s.domain = $2 AND i.status = 'Installed' AND s.status = 'Active'`;
const ISSUE = `INSERT INTO access_tokens (store_id, hash, installation_id, expires_at) VALUES ($1, $2, $3, now() + make_interval(secs => ${TOKEN_SECONDS}))`;

const letter = (value: number): string => ALPHABET[value % 62] ?? '';

const newToken = (): string => {
  let text = 'tnn_at_';
  for (const byte of randomBytes(43)) text += letter(byte);
  let sum = crc32(text);
  let checksum = '';
  for (let digit = 0; digit < 6; digit += 1) {
    checksum = letter(sum) + checksum;
    sum = Math.floor(sum / 62);
  }
  return text + checksum;
};

/** The exchange by hand: one SELECT, the secret compared as it is kept, one INSERT. */
serveCeiling(({ app, database, facts }) => {
  const pepper = Buffer.from(
    hkdfSync('sha256', Buffer.from(facts['key'] ?? '', 'base64'), '', 'tenon client secret pepper v1', 32),
  );
  app.post('/apps/token', express.urlencoded({ extended: false }), async (req, res) => {
    const form = req.body as Record<string, string>;
    const values = [form['client_id'], req.headers.host];
    const { rows } = await database.query<{ storeId: string; id: string; scopes: string[]; hash: Buffer }>({
      name: 'client',
      text: CLIENT,
      values,
    });
    const hash = createHmac('sha256', pepper)
      .update(form['client_secret'] ?? '')
      .digest();
    const client = rows.find((row) => timingSafeEqual(row.hash, hash));
    if (!client || form['grant_type'] !== 'client_credentials') {
      res.status(401).end();
      return;
    }
    const accessToken = newToken();
    const issued = [client.storeId, createHash('sha256').update(accessToken).digest(), client.id];
    await database.query({ name: 'issue', text: ISSUE, values: issued });
    const scopes = client.scopes.flatMap((scope) => [scope, scope.replace('write_', 'read_')]);
    // No route honours it (docs/specification/credentials.md, "Scopes").
    const scope = [...new Set(scopes)]
      .filter((one) => one !== 'read_inventory')
      .sort()
      .join(' ');
    res.setHeader('Cache-Control', 'no-store');
    const own = { accessToken, tokenType: 'Bearer', expiresIn: TOKEN_SECONDS, scope, scopeNotYetEnforced: '' };
    const standard = { access_token: accessToken, token_type: own.tokenType, expires_in: own.expiresIn };
    sendJson(res, JSON.stringify({ ...own, ...standard }));
  });
});
