import type { TrialRequest } from './trial-request.ts';

export const shellQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** A token is left out: the line may be kept or shared. */
const header = (name: string, value: string): string =>
  name === 'authorization' && /^bearer /i.test(value)
    ? '-H "Authorization: Bearer $TOKEN"'
    : `-H ${shellQuoted(value === '' ? `${name};` : `${name}: ${value}`)}`;

export const curlLine = (origin: string, { domain, method, path, headers, body }: TrialRequest): string =>
  [
    // curl would take brackets and braces for patterns.
    `curl -sS -g -X ${method}`,
    `-H ${shellQuoted(`Host: ${domain}`)}`,
    ...Object.entries(headers).map(([name, value]) => header(name, value)),
    // Without a type of its own, curl would call the body a form.
    ...(body === null ? [] : [...('content-type' in headers ? [] : ["-H 'Content-Type:'"]), `--data-raw ${shellQuoted(body)}`]),
    shellQuoted(`${origin}${path}`),
  ].join(' ');
