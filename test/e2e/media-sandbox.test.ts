import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { createDecoder } from '../../src/adapters/outgoing/media/decoder.ts';
import { imageOf } from '../support/image-server.ts';

const PROBE = join(import.meta.dirname, '../support/sandbox-probe.mjs');
let folder: string;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'tenon-sandbox-')));
});
afterAll(() => rm(folder, { recursive: true }));

it('the decoding process can read its image and its own code, but no other file or secret, and starts no process or thread', async () => {
  const image = join(folder, 'image.png');
  const bytes = await imageOf('png', 30, 20);
  await writeFile(image, bytes);
  await writeFile(join(folder, 'secrets.json'), '{}');
  const decode = createDecoder(PROBE);
  const found = await decode(image, 'png', new AbortController().signal, () => undefined);
  const DENIED = 'ERR_ACCESS_DENIED';
  expect(found.width).toEqual({
    sharp: 30,
    image: 'allowed',
    passwd: DENIED,
    'the environment of its parent': DENIED,
    'a file beside the image': DENIED,
    'the folder of the image': DENIED,
    'writing the image': DENIED,
    'a child process': DENIED,
    'a thread': DENIED,
    // VIPSHOME is sharp's own.
    variables: 'MALLOC_ARENA_MAX,UV_THREADPOOL_SIZE,VIPSHOME',
  });
  expect(await readFile(image)).toEqual(bytes);
});
