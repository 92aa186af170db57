import { request } from 'undici';

/** A step that failed; its message is for the person who watches. */
export class ExampleFailure extends Error {}

export const must: (holds: boolean, otherwise: string) => asserts holds = (holds, otherwise) => {
  if (!holds) throw new ExampleFailure(otherwise);
};

export interface Answer {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** A server that does not answer ends the example with an error, in place of a wait without an end. */
const ANSWER_MS = 30_000;

/** Sends it; throws an ExampleFailure unless it is answered with this status. */
export const send = async (status: number, { method, url, headers, body }: Call): Promise<Answer> => {
  const limits = { headersTimeout: ANSWER_MS, bodyTimeout: ANSWER_MS };
  const answer = await request(url, { method, headers, ...limits, ...(body !== undefined && { body }) });
  const text = await answer.body.text();
  // The body of a refusal says why; that of a success may hold secrets.
  const why = answer.statusCode >= 400 && text !== '' ? `: ${text.slice(0, 300)}` : '';
  must(
    answer.statusCode === status,
    `${method} ${new URL(url).pathname} was answered ${answer.statusCode} instead of ${status}${why}`,
  );
  return { headers: answer.headers, body: text };
};

export const json = ({ body }: Answer): unknown => JSON.parse(body);
