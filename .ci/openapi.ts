import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import { documentFiles } from '../src/adapters/http/openapi/documents.ts';

// `npm run openapi`, from the repository's root: test/architecture/openapi.test.ts compares what is committed with the routes.
for (const [path, text] of Object.entries(documentFiles())) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  console.log(`wrote ${path}`);
}
