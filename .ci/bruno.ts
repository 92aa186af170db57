import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';

import { documents } from './openapi.ts';

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly example?: unknown;
}
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly [string];
  readonly security: readonly object[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example: object }>> };
}

/** From the repository's root. */
export const FOLDER = 'docs/bruno';

const block = (name: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : `${name} {\n${lines.map((line) => `${`  ${line}`.trimEnd()}\n`).join('')}}\n`;

const linesOf = (text: string): string[] => text.split('\n');

/** Optional parameters are listed, and turned off. */
const entries = (parameters: readonly Parameter[], place: Parameter['in']): string[] =>
  parameters
    .filter((parameter) => parameter.in === place)
    .map(({ name, required, example = '' }) => `${required ? '' : '~'}${name}: ${String(example)}`);

/** The fields of the token request come from the environment. */
const CREDENTIALS: Readonly<Record<string, string>> = { client_id: '{{clientId}}', client_secret: '{{clientSecret}}' };

const bodyOf = ({ requestBody }: Operation): { readonly kind: string; readonly lines: readonly string[] } => {
  const [[type, { example }] = ['', { example: {} }]] = Object.entries(requestBody?.content ?? {});
  if (type === '') return { kind: 'none', lines: [] };
  if (type === 'application/json') return { kind: 'json', lines: linesOf(JSON.stringify(example, null, 2)) };
  const fields = Object.entries(example).map(([name, value]) => `${name}: ${CREDENTIALS[name] ?? String(value)}`);
  return { kind: 'form-urlencoded', lines: fields };
};

/** The token of the collection, or the credentials of a platform app. */
const authOf = (security: readonly object[]): 'basic' | 'inherit' | 'none' => {
  if (security.length === 0) return 'none';
  return security.some((scheme) => 'basic' in scheme) ? 'basic' : 'inherit';
};

const requestOf = (method: string, path: string, operation: Operation, seq: number): string => {
  const { operationId, summary, description, parameters, security } = operation;
  const { kind, lines } = bodyOf(operation);
  const bodyName = kind === 'none' ? 'body' : `body:${kind}`;
  const url = `{{shop}}${path.replace(/\{(\w+)\}/g, ':$1')}`;
  return [
    block('meta', [`name: ${summary}`, 'type: http', `seq: ${String(seq)}`]),
    block(method, [`url: ${url}`, `body: ${kind === 'form-urlencoded' ? 'formUrlEncoded' : kind}`, `auth: ${authOf(security)}`]),
    block('params:query', entries(parameters, 'query')),
    block('params:path', entries(parameters, 'path')),
    block('headers', entries(parameters, 'header')),
    block(bodyName, lines),
    authOf(security) === 'basic' ? block('auth:basic', ['username: {{clientId}}', 'password: {{clientSecret}}']) : '',
    operationId === 'createToken' ? block('vars:post-response', ['token: res.body.accessToken']) : '',
    block('docs', linesOf(description)),
  ]
    .filter(Boolean)
    .join('\n');
};

const COLLECTION = [
  block('headers', ['X-Tenon-Store: {{store}}']),
  block('auth', ['mode: bearer']),
  block('auth:bearer', ['token: {{token}}']),
  block('docs', [
    'The app API of Tenon. Choose an environment, fill in clientId and clientSecret, and send Token / createToken:',
    'the other requests then use its token. In production, set shop to the address of the store, and turn off',
    'the header X-Tenon-Store of the collection.',
  ]),
].join('\n');

const DEVELOPMENT = `${block('vars', ['shop: http://127.0.0.1:4000', 'store: first.localhost', 'clientId:', 'token:'])}vars:secret [\n  clientSecret\n]\n`;

/** The Bruno collection of the app API, by path from the repository's root. */
export const brunoFiles = (): Readonly<Record<string, string>> => {
  const paths = documents.app['paths'] as Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );
  return {
    [`${FOLDER}/bruno.json`]: `${JSON.stringify({ version: '1', name: 'Tenon app API', type: 'collection' }, null, 2)}\n`,
    [`${FOLDER}/collection.bru`]: COLLECTION,
    [`${FOLDER}/environments/Development.bru`]: DEVELOPMENT,
    ...Object.fromEntries(
      operations.map(({ path, method, operation }, index) => [
        `${FOLDER}/${operation.tags[0]}/${operation.operationId}.bru`,
        requestOf(method, path, operation, index + 1),
      ]),
    ),
  };
};

// `npm run openapi`, from the repository's root. test/architecture/bruno.test.ts compares what is committed.
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  rmSync(FOLDER, { recursive: true, force: true });
  for (const [path, text] of Object.entries(brunoFiles())) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  console.log(`wrote ${FOLDER}`);
}
