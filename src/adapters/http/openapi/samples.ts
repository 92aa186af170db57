import { shellQuoted } from '../trial/own-api.ts';
import { examplePath, parametersOf } from './parameters.ts';
import type { Json } from './schema.ts';
import type { Route } from '../route-declaration.ts';

/** Names of the address and the token in a sample: `$SHOP` in a shell, `SHOP` in TypeScript. */
interface Names {
  readonly address: string;
  readonly token: string | null;
  /** The client id and the client secret, with a colon between them. */
  readonly client: string | null;
}

interface Call {
  readonly method: string;
  readonly path: string;
  readonly names: Names;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly type: string; readonly example: unknown } | null;
  /** Expression with which TypeScript reads the answer. */
  readonly reading: string;
}

const namesOf = ({ access, errors }: Route): Names => {
  if (access.kind === 'admin') return { address: 'ADMIN', token: 'ADMIN_TOKEN', client: null };
  return {
    address: errors === 'problem' && access.kind === 'public' ? 'ADMIN' : 'SHOP',
    token: access.kind === 'app' ? 'TOKEN' : null,
    client: access.kind === 'developer' ? 'CLIENT' : null,
  };
};

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

const isRequired = (place: string) => (parameter: Json) => parameter['in'] === place && parameter['required'] === true;

const readingOf = ({ response, responseType }: Route): string => {
  if (response === null) return 'response.status';
  if (responseType === JSON_TYPE) return 'await response.json()';
  return responseType === 'image/*' ? 'await response.blob()' : 'await response.text()';
};

const bodyOf = (requestBody: Json | null): Call['body'] => {
  if (requestBody?.['required'] !== true) return null;
  const [[type, { example }] = ['', {} as Json]] = Object.entries(requestBody['content'] as Record<string, Json>);
  return { type, example };
};

const callOf = (route: Route, requestBody: Json | null): Call => {
  const parameters = parametersOf(route);
  const query = parameters
    .filter(isRequired('query'))
    .map(({ name, example }): [string, string] => [String(name), String(example)]);
  const headers = parameters.filter(isRequired('header')).map(({ name, example }) => [String(name), String(example)] as const);
  const body = bodyOf(requestBody);
  return {
    method: route.method.toUpperCase(),
    path: examplePath(route) + (query.length > 0 ? `?${new URLSearchParams(query).toString()}` : ''),
    names: namesOf(route),
    // A form's type is said by curl and by fetch.
    headers: { ...(body && body.type !== FORM && { 'Content-Type': body.type }), ...Object.fromEntries(headers) },
    body,
    reading: readingOf(route),
  };
};

/** Files are of these types, and are not written out. */
const fileOf = (type: string): string => `products.${type === 'text/csv' ? 'csv' : 'ndjson'}`;

const curlBody = ({ type, example }: NonNullable<Call['body']>): string[] => {
  if (type === FORM)
    return Object.entries(example as object).map(([name, value]) => `-d ${shellQuoted(`${name}=${String(value)}`)}`);
  return [type === JSON_TYPE ? `-d ${shellQuoted(JSON.stringify(example))}` : `--data-binary @${fileOf(type)}`];
};

const curl = ({ method, path, names, headers, body }: Call): string =>
  [
    `curl -sS ${method === 'GET' ? '' : `-X ${method} `}"$${names.address}${path}"`,
    ...(names.token === null ? [] : [`-H "Authorization: Bearer $${names.token}"`]),
    ...(names.client === null ? [] : [`-u "$${names.client}"`]),
    ...Object.entries(headers).map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`),
    ...(body === null ? [] : curlBody(body)),
  ].join(' \\\n  ');

/** JavaScript: names need no quotes. */
const indented = (value: unknown): string =>
  JSON.stringify(value, null, 2)
    .replace(/^( *)"([A-Za-z]\w*)":/gm, '$1$2:')
    .replaceAll('\n', '\n  ');

const scriptBody = ({ type, example }: NonNullable<Call['body']>): string => {
  if (type === FORM) return `new URLSearchParams(${indented(example)})`;
  return type === JSON_TYPE ? `JSON.stringify(${indented(example)})` : `await readFile('${fileOf(type)}')`;
};

const typescript = ({ method, path, names, headers, body, reading }: Call): string => {
  const sent = [
    ...(names.token === null ? [] : [`Authorization: \`Bearer \${${names.token}}\``]),
    ...(names.client === null ? [] : [`Authorization: \`Basic \${btoa(${names.client})}\``]),
    ...Object.entries(headers).map(([name, value]) => `'${name}': '${value}'`),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(sent.length === 0 ? [] : [`headers: { ${sent.join(', ')} }`]),
    ...(body === null ? [] : [`body: ${scriptBody(body)}`]),
  ];
  const given = options.length === 0 ? '' : `, {\n${options.map((option) => `  ${option},\n`).join('')}}`;
  const reads = body !== null && body.type !== FORM && body.type !== JSON_TYPE;
  return [
    ...(reads ? ["import { readFile } from 'node:fs/promises';\n"] : []),
    `const response = await fetch(\`\${${names.address}}${path}\`${given});`,
    `console.log(${reading});`,
  ].join('\n');
};

/** The call with its examples, as programs that can be run when the names are set. */
export const samplesOf = (route: Route, requestBody: Json | null): readonly Json[] => {
  const call = callOf(route, requestBody);
  return [
    { lang: 'Shell', label: 'curl', source: curl(call) },
    { lang: 'TypeScript', label: 'TypeScript', source: typescript(call) },
  ];
};
