import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

export interface NameAnswer {
  /** IPv4 or IPv6, of the type that was asked for. */
  readonly addresses?: readonly string[];
  /** 3 is NXDOMAIN, 2 SERVFAIL, 5 REFUSED. */
  readonly code?: number;
  /** The name has this other name, whose addresses these are. */
  readonly alias?: string;
  /** Over UDP, an empty answer with the flag for truncation. */
  readonly isCut?: boolean;
}

export interface NameQuestion {
  readonly name: string;
  readonly type: 'A' | 'AAAA';
  readonly over: 'udp' | 'tcp';
}

/** `silence` answers nothing at all. */
export type Answering = (question: NameQuestion) => NameAnswer | 'silence';

export interface NameServer {
  /** The address in the form that `NAME_SERVERS` takes. */
  readonly address: string;
  readonly asked: readonly NameQuestion[];
  answer(answering: Answering): void;
  /** Waits until a question comes that is like this. */
  next(isLike: (question: NameQuestion) => boolean): Promise<void>;
  close(): Promise<void>;
}

export const NXDOMAIN: NameAnswer = { code: 3 };
const TYPES = { 1: 'A', 28: 'AAAA' } as const;

const encodedName = (name: string): Buffer =>
  Buffer.concat(
    [...name.split('.').map((label) => Buffer.from(`\0${label}`)), Buffer.from('\0')].map((part) => {
      if (part.length > 1) part[0] = part.length - 1;
      return part;
    }),
  );

const addressBytes = (text: string): Buffer => {
  if (!text.includes(':')) return Buffer.from(text.split('.').map(Number));
  const [before = '', after = ''] = text.split('::').map((half) => half);
  const words = (half: string) => (half === '' ? [] : half.split(':').map((word) => parseInt(word, 16)));
  const [head, tail] = [words(before), words(after)];
  const all = [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail];
  return Buffer.from(all.flatMap((word) => [word >> 8, word & 0xff]));
};

const record = (name: Buffer, type: number, data: Buffer): Buffer => {
  const fields = Buffer.alloc(10);
  fields.writeUInt16BE(type, 0);
  fields.writeUInt16BE(1, 2);
  fields.writeUInt32BE(60, 4);
  fields.writeUInt16BE(data.length, 8);
  return Buffer.concat([name, fields, data]);
};

const questionIn = (message: Buffer): { readonly name: string; readonly type: number; readonly bytes: Buffer } => {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), bytes: message.subarray(12, at + 5) };
};

const reply = (message: Buffer, given: NameAnswer, over: 'udp' | 'tcp'): Buffer => {
  const { name, type, bytes } = questionIn(message);
  const { addresses = [], code = 0, alias, isCut = false } = given;
  const cut = isCut && over === 'udp';
  const owner = encodedName(alias ?? name);
  const aliases = alias === undefined ? [] : [record(encodedName(name), 5, encodedName(alias))];
  const records = cut ? [] : [...aliases, ...addresses.map((address) => record(owner, type, addressBytes(address)))];
  const head = Buffer.alloc(12);
  message.copy(head, 0, 0, 2);
  head.writeUInt16BE(0x8180 | (cut ? 0x0200 : 0) | code, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(records.length, 6);
  return Buffer.concat([head, bytes, ...records]);
};

/** A name server on 127.0.0.1, over UDP and TCP. It knows no name at first. */
export const startNameServer = async (answering: Answering = () => NXDOMAIN): Promise<NameServer> => {
  let present = answering;
  const asked: NameQuestion[] = [];
  const waiting = new Set<(question: NameQuestion) => void>();
  const answerTo = (message: Buffer, over: 'udp' | 'tcp'): Buffer | null => {
    const { name, type } = questionIn(message);
    const question = { name, type: TYPES[type as keyof typeof TYPES], over };
    asked.push(question);
    for (const look of waiting) look(question);
    const given = present(question);
    return given === 'silence' ? null : reply(message, given, over);
  };
  const tcp = createServer((socket) => {
    let read = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      read = Buffer.concat([read, chunk]);
      while (read.length >= 2 && read.length >= 2 + read.readUInt16BE(0)) {
        const end = 2 + read.readUInt16BE(0);
        const answer = answerTo(read.subarray(2, end), 'tcp');
        read = read.subarray(end);
        if (!answer) continue;
        const length = Buffer.alloc(2);
        length.writeUInt16BE(answer.length, 0);
        socket.write(Buffer.concat([length, answer]));
      }
    });
  });
  await once(tcp.listen(0, '127.0.0.1'), 'listening');
  const { port } = tcp.address() as AddressInfo;
  const udp = createSocket('udp4', (message, { port: from, address }) => {
    const answer = answerTo(message, 'udp');
    if (answer) udp.send(answer, from, address);
  });
  udp.bind(port, '127.0.0.1');
  await once(udp, 'listening');
  return {
    address: `127.0.0.1:${String(port)}`,
    asked,
    answer: (given) => {
      present = given;
    },
    next: (isLike) =>
      new Promise((resolve) => {
        const look = (question: NameQuestion): void => {
          if (!isLike(question)) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
      }),
    close: async () => {
      await Promise.all([
        new Promise<void>((resolve) => udp.close(() => resolve())),
        new Promise<void>((resolve) => tcp.close(() => resolve())),
      ]);
    },
  };
};
