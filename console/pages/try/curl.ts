import type { Call } from './compose.ts';

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The call as a shell command, with the token as $TOKEN. */
export const curlOf = ({ method, path, headers, body }: Call, origin: string): string =>
  [
    `curl -sS -i -X ${method} ${quoted(origin + path)}`,
    '-H "Authorization: Bearer $TOKEN"',
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`--data-binary ${quoted(body)}`]),
  ].join(' \\\n  ');
