import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL, fileURLToPath } from 'node:url';

import { gifSizeOf } from '../../../domain/media/gif.ts';
import { isTooManyPixels, MAX_ANIMATED_PIXELS, MAX_PIXELS, TOO_MANY_PIXELS } from '../../../domain/media/image.ts';
import type { ImageExtension } from '../../../domain/media/media-file.ts';
import type { ImageFault } from '../../../domain/ports/media/media-source.ts';
import type { Decoded } from './decode-image.mjs';
import { ImageRefusal } from './image-refusal.ts';

interface Sandbox {
  readonly sharpUrl: string;
  /**
   * Flags of node that let the program read these files and the code it needs, and nothing else.
   */
  flags(readable: readonly string[]): string[];
}

/** The packages of sharp, beside it in its node_modules. */
const PACKAGES = ['sharp', '@img', 'detect-libc', 'semver'];

/** In Node 20 the permission model is experimental. */
const PERMISSION = process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission';

/**
 * Node's permission model for a program that uses sharp. It may read only its own code, sharp and
 * the listed files. It may not write files or start child processes or threads. Native code
 * (libvips) is outside this model: what a hostile image does there is limited by the process, its
 * empty environment and the one loader that is enabled.
 */
const sandboxFor = (code: readonly string[]): Sandbox => {
  const main = realpathSync(createRequire(import.meta.url).resolve('sharp'));
  const modules = dirname(main.slice(0, main.lastIndexOf(join('sharp', 'dist'))) + 'sharp');
  const needed = [...code.map((path) => realpathSync(path)), ...PACKAGES.map((name) => join(modules, name, '/'))];
  return {
    sharpUrl: pathToFileURL(main).href,
    flags: (readable) => [
      PERMISSION,
      '--allow-addons',
      '--no-warnings',
      ...[...needed, ...readable].map((path) => `--allow-fs-read=${path}`),
    ],
  };
};

const fileOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/**
 * `decode-image <sharp> <path> <extension> <limits> <end of a GIF's blocks>`: a process for each image, so that what a
 * hostile image does to its memory ends with it.
 */
const PROGRAM = fileOf('./decode-image.mjs');
const LIBRARY = fileOf('./jpeg-pixels.mjs');

interface Ending {
  readonly code: number | null;
  readonly endedBy: NodeJS.Signals | null;
  readonly said: string;
  readonly complained: string;
}

/**
 * Not this service's environment, which contains secrets. One arena and one thread use a third less
 * memory.
 */
const ENVIRONMENT = { MALLOC_ARENA_MAX: '1', UV_THREADPOOL_SIZE: '1' };

/** Runs node with these arguments until it ends, or the signal ends it. */
const run = async (args: readonly string[], signal: AbortSignal): Promise<Ending> => {
  signal.throwIfAborted();
  const child = spawn(process.execPath, args, { env: ENVIRONMENT, cwd: '/' });
  const kill = () => void child.kill('SIGKILL');
  signal.addEventListener('abort', kill);
  try {
    const ended = new Promise<Pick<Ending, 'code' | 'endedBy'>>((resolve, reject) =>
      child.on('error', reject).on('close', (code, endedBy) => resolve({ code, endedBy })),
    );
    const [ending, said, complained] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
    return { ...ending, said, complained };
  } finally {
    signal.removeEventListener('abort', kill);
    signal.throwIfAborted();
  }
};

const unlessAborted = async <T>(promise: Promise<T>, signal: AbortSignal): Promise<T> => {
  let abort = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', abort);
  });
  return await Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', abort));
};

interface ImageDimensions {
  readonly width: number;
  readonly height: number;
}

/**
 * Decodes all pixels of the local file. Throws an ImageRefusal when it cannot be decoded or has too
 * many pixels, the signal's reason as soon as it is aborted, and an Error when the decoder itself
 * cannot run. `onTurn` is called when it begins.
 */
type Decode = (path: string, extension: ImageExtension, signal: AbortSignal, onTurn: () => void) => Promise<ImageDimensions>;

type Fault = Extract<Decoded, { fault: string }>['fault'];

const REFUSALS: Readonly<Record<Fault, readonly [ImageFault, string]>> = {
  damaged: ['decode_failed', 'The image is damaged or incomplete.'],
  other_size: ['decode_failed', 'The image is larger than its file says. Save it again, without layers.'],
  not_avif: ['unsupported_type', 'The file is not an AVIF image.'],
  too_many_pixels: ['too_large', TOO_MANY_PIXELS],
};

/** Signals that a terminal or an init system sends to every process of a server. */
const STOPS: readonly (NodeJS.Signals | null)[] = ['SIGTERM', 'SIGINT', 'SIGHUP'];

const readEnding = ({ code, endedBy, said, complained }: Ending): ImageDimensions => {
  if (STOPS.includes(endedBy)) throw new Error(`The image decoder was stopped by ${String(endedBy)}.`);
  // The system ended it, for its memory or a fault that the image caused.
  if (code === null) throw new ImageRefusal('decode_failed', 'The image could not be decoded.');
  if (code !== 0) throw new Error(`The image decoder does not run: ${complained.slice(-2000)}`);
  const decoded = JSON.parse(said) as Decoded;
  if (!('fault' in decoded)) return decoded;
  throw new ImageRefusal(...REFUSALS[decoded.fault]);
};

/**
 * Finds the end of the last block of a GIF. The decoder only looks at the first frame, and shrinks
 * a canvas that is too large.
 */
const judgeGif = async (path: string): Promise<number> => {
  const size = gifSizeOf(await readFile(path));
  if (isTooManyPixels(size)) throw new ImageRefusal('too_large', TOO_MANY_PIXELS);
  return size.end;
};

/**
 * A decoder for one image at a time: several at once would compete for the core and the memory. A
 * test may run another program in the sandbox.
 */
export const createDecoder = (program = PROGRAM): Decode => {
  const sandbox = sandboxFor([program, LIBRARY]);
  let last: Promise<unknown> = Promise.resolve();
  return async (path, extension, signal, onTurn) => {
    const mine = last.then(async () => {
      signal.throwIfAborted();
      onTurn();
      const end = extension === 'gif' ? await judgeGif(path) : 0;
      const image = [path, extension, ...[MAX_PIXELS, MAX_ANIMATED_PIXELS, end].map(String)];
      return readEnding(await run([...sandbox.flags([path]), program, sandbox.sharpUrl, ...image], signal));
    });
    last = mine.catch(() => undefined);
    return await unlessAborted(mine, signal);
  };
};
