import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { createMediaSource } from '../../src/adapters/outgoing/media/media-source.ts';
import { createMediaSource as createMemorySource, type MemoryAnswer } from '../memory/media/media-source.ts';
import { createAddressResolver } from '../memory/address-resolver.ts';
import { parseCidrs } from '../../src/adapters/node/names/ip-address.ts';
import { imageOf, site } from '../support/image-server.ts';
import { hang, redirect, respond, startReceiver, type Answer } from '../support/receiver.ts';
import { mediaSourceContract, type HostAnswer } from './media-source.contract.ts';

const names: Record<string, string[]> = {
  'private.example.com': ['10.0.0.1'],
  'mixed.example.com': ['8.8.8.8', '10.0.0.1'],
};
const allowed = parseCidrs('127.0.0.0/8');

mediaSourceContract('memory', async () => {
  const answers = new Map<string, MemoryAnswer | 'silence'>();
  let waiting: (() => void)[] = [];
  const source = createMemorySource({
    names,
    allowed,
    answer: (url) => {
      waiting.forEach((look) => look());
      const answer = answers.get(new URL(url).pathname) ?? { fault: 'fetch_failed', message: 'nothing there' };
      return answer === 'silence' ? new Promise(() => undefined) : answer;
    },
  });
  let made = 0;
  return {
    source,
    url: 'http://127.0.0.1:1',
    anImage: async () => Buffer.from(`GIF89a ${(made += 1)}`),
    answers: (path, answer) => {
      if (answer === 'nothing') answers.delete(path);
      else if (answer === 'silence' || 'redirect' in answer) answers.set(path, answer);
      else if ('busy' in answer) answers.set(path, { fault: 'fetch_failed', passing: { retryAfterSeconds: answer.busy } });
      else answers.set(path, { bytes: 'gzip' in answer ? answer.gzip : answer.bytes, width: 3, height: 2 });
    },
    seen: async (count) => {
      while (source.asked.length < count) await new Promise<void>((resolve) => waiting.push(resolve));
      waiting = [];
    },
    bytesAt: (path) => source.read(path).then(Buffer.from, () => null),
    localFiles: async () => source.files.size,
    breakDisk: async () => source.breakDisk(),
    close: () => source.close(),
  };
});

const answerOf = (answer: HostAnswer): Answer => {
  if (answer === 'silence') return hang;
  if (answer === 'nothing') return respond(404, 'nothing here');
  if ('busy' in answer) return respond(503, '', { 'retry-after': String(answer.busy) });
  if ('gzip' in answer) return respond(200, gzipSync(answer.gzip), { 'content-encoding': 'gzip' });
  return 'redirect' in answer ? redirect(302, answer.redirect) : respond(200, answer.bytes, { 'content-type': 'text/html' });
};

mediaSourceContract('outgoing', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'tenon-incoming-'));
  const host = await startReceiver();
  const answers = new Map<string, Answer>();
  host.answer(site(answers));
  const addresses = createAddressResolver(names);
  const source = createMediaSource({ directory, addresses, allowed, timeoutSeconds: 60 });
  return {
    source,
    url: host.url,
    anImage: () => imageOf('png'),
    answers: (path, answer) => answers.set(path, answerOf(answer)),
    seen: async (count) => {
      while (host.received.length < count) await host.next();
    },
    bytesAt: (path) => readFile(path).catch(() => null),
    localFiles: async () => (await readdir(directory)).length,
    breakDisk: async () => {
      await rm(directory, { recursive: true });
      await writeFile(directory, 'a file, where the folder belongs');
    },
    close: async () => {
      await source.close();
      await host.close();
      await rm(directory, { recursive: true });
    },
  };
});
