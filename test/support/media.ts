import { expect, vi } from 'vitest';

import { call, type Answer, type StoreWithApp } from './server.ts';

export const IMPORTS = '/apps/media/imports';

export interface ImportBody {
  readonly importId: string;
  readonly status: string;
  readonly items: readonly {
    readonly index: number;
    readonly status: string;
    readonly mediaId: string | null;
    readonly error: string | null;
    readonly errorCode: string | null;
    readonly retryAt: string | null;
    readonly retryReason: string | null;
  }[];
}

/** A request for an import with this idempotency key. */
export const postImport = (
  server: { url: string },
  app: Pick<StoreWithApp, 'headers'>,
  key: string,
  items: readonly object[],
): Promise<Answer> =>
  call(`${server.url}${IMPORTS}`, 'POST', { ...app.headers, 'idempotency-key': key }, JSON.stringify({ items }));

/** Takes an import on; its id. */
export const anImport = async (...given: Parameters<typeof postImport>): Promise<string> => {
  const answer = await postImport(...given);
  expect(answer.status, answer.body).toBe(202);
  return (JSON.parse(answer.body) as ImportBody).importId;
};

export const importOf = async (
  server: { url: string },
  app: Pick<StoreWithApp, 'headers'>,
  importId: string,
): Promise<ImportBody> => {
  const answer = await call(`${server.url}${IMPORTS}/${importId}`, 'GET', app.headers);
  expect(answer.status, answer.body).toBe(200);
  return JSON.parse(answer.body) as ImportBody;
};

/** The import once it has ended. */
export const ended = (
  server: { url: string },
  app: Pick<StoreWithApp, 'headers'>,
  importId: string,
  timeout = 120_000,
): Promise<ImportBody> =>
  vi.waitFor(
    async () => {
      const found = await importOf(server, app, importId);
      expect(found.status).not.toMatch(/^(Queued|Running)$/);
      return found;
    },
    { timeout, interval: 50 },
  );
