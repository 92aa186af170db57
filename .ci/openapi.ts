import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';

import { parseConfig } from '../src/adapters/wiring/settings/config.ts';
import { documentsOf } from '../src/adapters/wiring/serve/documents.ts';

const defaults = parseConfig({});
if (!defaults.ok) throw new Error(defaults.message);

/** The documents with the default settings. */
export const documents = documentsOf(defaults.value);

/** The documents as they are committed, by path from the repository's root. */
export const documentFiles: Readonly<Record<string, string>> = {
  'docs/openapi.json': `${JSON.stringify(documents.app, null, 2)}\n`,
  'docs/openapi-admin.json': `${JSON.stringify(documents.admin, null, 2)}\n`,
};

// `npm run openapi`, from the repository's root. test/architecture/openapi.test.ts compares what is committed with the routes.
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const [path, text] of Object.entries(documentFiles)) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    console.log(`wrote ${path}`);
  }
}
