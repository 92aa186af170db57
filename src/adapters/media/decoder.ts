import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';

import type { ImageExtension } from '../../domain/media-file.ts';
import type { Decoded } from './decode-image.ts';
import { ImageRefusal } from './image-refusal.ts';

const SUFFIX = extname(fileURLToPath(import.meta.url));
const PROGRAM = [
  // From its sources it runs by tsx, as the service itself does then.
  ...(SUFFIX === '.ts' ? ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href] : []),
  fileURLToPath(new URL(`./decode-image${SUFFIX}`, import.meta.url)),
];

interface Ending {
  readonly code: number | null;
  readonly said: string;
  readonly complained: string;
}

/** No environment of the service's: there are secrets in it. One arena and one thread hold a third less memory. */
const ENVIRONMENT = { MALLOC_ARENA_MAX: '1', UV_THREADPOOL_SIZE: '1' };

/** Runs the program until it ends, or the signal ends it. */
const run = async (path: string, extension: ImageExtension, signal: AbortSignal): Promise<Ending> => {
  signal.throwIfAborted();
  const child = spawn(process.execPath, [...PROGRAM, path, extension], { env: ENVIRONMENT });
  const kill = () => void child.kill('SIGKILL');
  signal.addEventListener('abort', kill);
  try {
    const ended = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
    const [code, said, complained] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
    return { code, said, complained };
  } finally {
    signal.removeEventListener('abort', kill);
    signal.throwIfAborted();
  }
};

/** What `promise` gives, or at once the reason of the signal. */
const unlessAborted = async <T>(promise: Promise<T>, signal: AbortSignal): Promise<T> => {
  let abort = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', abort);
  });
  return await Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', abort));
};

export interface ImageDimensions {
  readonly width: number;
  readonly height: number;
}

/**
 * Decodes all pixels of the local file. Throws an ImageRefusal for one that can't be, or has too many; the signal's reason as soon as it is aborted; and an Error where the decoder
 * itself can't run. `onTurn` is told when it begins.
 */
export type Decode = (
  path: string,
  extension: ImageExtension,
  signal: AbortSignal,
  onTurn: () => void,
) => Promise<ImageDimensions>;

const readEnding = ({ code, said, complained }: Ending): ImageDimensions => {
  // No code: the system ended it, for its memory or a fault that the image led the decoder into.
  if (code === null) throw new ImageRefusal('decode_failed', 'The image could not be decoded.');
  if (code !== 0) throw new Error(`The image decoder does not run: ${complained.slice(-2000)}`);
  const decoded = JSON.parse(said) as Decoded;
  if ('fault' in decoded) throw new ImageRefusal('decode_failed', decoded.fault);
  return decoded;
};

/** A decoder that holds one image at a time: many at once would share neither a core nor the memory. */
export const createDecoder = (): Decode => {
  let last: Promise<unknown> = Promise.resolve();
  return async (path, extension, signal, onTurn) => {
    const mine = last.then(async () => {
      signal.throwIfAborted();
      onTurn();
      return readEnding(await run(path, extension, signal));
    });
    last = mine.catch(() => undefined);
    return await unlessAborted(mine, signal);
  };
};
