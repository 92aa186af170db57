import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

import { documents } from './openapi.ts';

interface Webhook {
  readonly post: {
    readonly requestBody: { readonly content: { readonly 'application/json': { readonly example: { readonly data: unknown } } } };
  };
}

/** From the repository's root. */
export const path = 'clients/typescript/src/generated/events.ts';

/** The data of an event of each type, from the examples of docs/openapi.json: the fixtures of `tenon-client/testing`. */
export const text = (): string => {
  const webhooks = Object.entries(documents.app['webhooks'] as Readonly<Record<string, Webhook>>);
  const data = webhooks.map(([type, { post }]) => [type, post.requestBody.content['application/json'].example.data]);
  return `// Written by \`npm run client:types\`. Do not edit.\nexport const EVENT_DATA = ${JSON.stringify(Object.fromEntries(data), null, 2)};\n`;
};

// test/architecture/client-types.test.ts compares what is committed with the document.
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) writeFileSync(path, text());
