import { once } from 'node:events';
import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';

export interface Frame {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A reader of server-sent events. */
export interface EventStream {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly frames: Frame[];
  readonly comments: string[];
  /** Resolves when the server has ended or cut the response. */
  readonly ended: Promise<'ended' | 'cut'>;
  /** Stops to read, so that the server has to keep what comes. */
  pause(): void;
  resume(): void;
  close(): void;
}

const valueOf = (lines: readonly string[], name: string): string | undefined =>
  lines.find((line) => line.startsWith(name))?.slice(name.length);

export const openEventStream = async (url: string, headers: Readonly<Record<string, string>>): Promise<EventStream> => {
  const asked = request(url, { headers, agent: false }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const frames: Frame[] = [];
  const comments: string[] = [];
  let rest = '';
  const take = (block: string): void => {
    const lines = block.split('\n');
    const data = valueOf(lines, 'data: ');
    if (data !== undefined) frames.push({ event: valueOf(lines, 'event: ') ?? '', data: JSON.parse(data) as Frame['data'] });
    comments.push(...lines.filter((line) => line.startsWith(':')));
  };
  response.setEncoding('utf8').on('data', (text: string) => {
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop() ?? '';
    blocks.forEach(take);
  });
  const ended = new Promise<'ended' | 'cut'>((resolve) => {
    response.on('error', () => undefined).on('close', () => resolve(response.complete ? 'ended' : 'cut'));
  });
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    frames,
    comments,
    ended,
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    close: () => void asked.destroy(),
  };
};
