import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';

import { UNKNOWN_PATH, type ErrorCode, type RouteError } from './refusals.ts';

const STYLE = `:root{color-scheme:light dark;--bg:#f4f5f7;--card:#fff;--line:#d8dce2;--text:#1b1f24;--muted:#59636e}
@media (prefers-color-scheme:dark){:root{--bg:#14171b;--card:#1e2329;--line:#363d46;--text:#e6e9ed;--muted:#a3adb8}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1rem;background:var(--bg);color:var(--text);font:16px/1.6 system-ui,sans-serif}
main{width:min(32rem,100%);padding:1.5rem;background:var(--card);border:1px solid var(--line);border-radius:10px;overflow-wrap:anywhere}
h1{margin:0 0 .75rem;font-size:1.35rem;line-height:1.25}
p{margin:.5rem 0 0}
small{display:block;margin-top:1.25rem;color:var(--muted)}`;

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

interface Words {
  readonly title: string;
  readonly advice: string;
  /** The message of the error is for developers: it follows for them. */
  readonly isForDevelopers?: boolean;
}

const WRONG_LINK: Words = {
  title: 'This link does not work',
  advice: 'The app or the page that sent you here made a mistake. Send its makers this page.',
  isForDevelopers: true,
};
const OWN_FAULT: Words = {
  title: 'Something went wrong',
  advice: 'Load the page again. If that does not help, send the people who run this server the number below.',
};

const WORDS: Partial<Readonly<Record<ErrorCode, Words>>> = {
  invalid: WRONG_LINK,
  method_not_allowed: WRONG_LINK,
  rate_limited: { title: 'Too many requests', advice: 'Wait a minute, and load the page again.' },
  unavailable: { title: 'Not available at the moment', advice: 'Wait a moment, and load the page again.' },
  internal_error: OWN_FAULT,
};

const NO_PAGE: Words = { title: 'There is no page at this address', advice: 'Go back, and check the address.' };

/** The first sentence of a message that is for people is the title, and its others say what to do. */
const wordsOf = ({ code, message }: RouteError): Words => {
  if (message === UNKNOWN_PATH.message) return NO_PAGE;
  const [, title = message, advice = ''] = /^(.+?)\.(?: (.*))?$/s.exec(message) ?? [];
  return WORDS[code] ?? { title, advice };
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (mark) => `&#${String(mark.charCodeAt(0))};`);

/** Returns true if a person looks at the answer: a browser that opens an address accepts HTML, and prefers it. */
export const wantsPage = (request: Request): boolean =>
  (request.method === 'GET' || request.method === 'HEAD') && request.accepts(['json', 'html']) === 'html';

/** An error as a page, in words for a person who followed a link. */
export const errorPage = (
  error: RouteError,
  { locals }: Response,
): { readonly headers: Record<string, string>; readonly body: Buffer } => {
  const { title, advice, isForDevelopers = false } = wordsOf(error);
  const note = isForDevelopers ? `<small>For developers: ${escaped(error.message)}</small>` : '';
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
<p>${escaped(advice)}</p>
${note}<small>Request ${escaped(locals.notes.requestId)}</small>
</main>
</body>
</html>
`;
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Security-Policy': POLICY,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    Vary: 'Accept',
  };
  return { headers, body: Buffer.from(html) };
};
