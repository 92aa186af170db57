import { createServer, type AddressInfo, type Socket } from 'node:net';

import { answerParent } from './parent.ts';

/** How the answers go: at once; not at all; a byte each 50 ms; 1 GB. */
export type Manner = 'prompt' | 'hang' | 'drip' | 'flood';

export type ReceiverRequest =
  | { readonly listen: Manner }
  /** Answers `Received` when this many requests have arrived since the last count. */
  | { readonly count: number }
  /** Answers `Arrivals` of the requests since the last time. */
  | { readonly arrivals: true };

export interface Listening {
  readonly url: string;
}
export interface Received {
  /** Milliseconds since the epoch, of the last one. */
  readonly at: number;
}
export interface Arrivals {
  /** Milliseconds since the epoch by `webhook-id`. */
  readonly at: readonly (readonly [string, number])[];
}

const now = (): number => performance.timeOrigin + performance.now();
const PROMPT = Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
const CHUNK = Buffer.alloc(65_536, 'x');

let count = 0;
let wanted: { readonly count: number; readonly tell: (received: Received) => void } | null = null;
let arrivals: [string, number][] = [];

const note = (head: string): void => {
  count += 1;
  const id = /\r\nwebhook-id: ([^\r]+)/i.exec(head)?.[1];
  if (id !== undefined) arrivals.push([id, now()]);
  if (wanted && count >= wanted.count) {
    count = 0;
    wanted.tell({ at: now() });
    wanted = null;
  }
};

const pour = (socket: Socket): void => {
  while (socket.writable && socket.write(CHUNK)) continue;
  socket.once('drain', () => pour(socket));
};

const respond: Readonly<Record<Manner, (socket: Socket) => void>> = {
  prompt: (socket) => socket.write(PROMPT),
  hang: () => undefined,
  drip: (socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n');
    const timer = setInterval(() => socket.write('.'), 50);
    socket.on('close', () => clearInterval(timer));
  },
  flood: (socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1073741824\r\n\r\n');
    pour(socket);
  },
};

// Reads the framing alone: a receiver that costs as much as the sender would be the measure of both sides.
const serve = (manner: Manner) => (socket: Socket) => {
  let rest: Buffer = Buffer.alloc(0);
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      const end = rest.indexOf('\r\n\r\n');
      if (end < 0) return;
      const head = rest.toString('latin1', 0, end);
      const whole = end + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (rest.length < whole) return;
      rest = rest.subarray(whole);
      note(head);
      respond[manner](socket);
    }
  });
};

answerParent(
  (request: ReceiverRequest) =>
    new Promise<object>((resolve) => {
      if ('listen' in request) {
        const server = createServer(serve(request.listen)).listen(0, '127.0.0.1', () => {
          resolve({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` } satisfies Listening);
        });
      } else if ('count' in request) {
        wanted = { count: request.count, tell: resolve };
      } else {
        resolve({ at: arrivals } satisfies Arrivals);
        arrivals = [];
      }
    }),
);
