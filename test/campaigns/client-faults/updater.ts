import { readFileSync } from 'node:fs';

import { Tenon, type ProductChange } from '../../../clients/typescript/src/index.ts';

/** Reports each result, and each attempt without an answer. */
export type UpdaterLine =
  { readonly done: number; readonly status: string; readonly replayed: boolean } | { readonly lost: true };

const { STORE: store = '', CLIENT_ID: clientId = '', CLIENT_SECRET: clientSecret = '', CHANGES = '' } = process.env;
const report = (line: UpdaterLine): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

const reporting: typeof fetch = async (...request) => {
  try {
    return await fetch(...request);
  } catch (error) {
    report({ lost: true });
    throw error;
  }
};

const tenon = new Tenon({ store, clientId, clientSecret, fetch: reporting, maxAttempts: Infinity });
const changes = JSON.parse(readFileSync(CHANGES, 'utf8')) as ProductChange[];
let done = 0;
for await (const { status, replayed } of tenon.products.bulkUpdate(changes, { key: 'tidy' })) {
  done += 1;
  report({ done, status, replayed });
}
