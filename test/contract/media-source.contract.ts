import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { MAX_IMAGE_BYTES } from '../../src/domain/media/image.ts';
import type { FetchedImage, ImageOutcome, MediaSource } from '../../src/domain/ports/media/media-source.ts';
import { parseUrl } from '../../src/domain/values/url.ts';

/** Answer of a host: an image of these bytes, a redirect, a 404, or no answer. */
export type HostAnswer =
  | { readonly bytes: Buffer }
  /** Busy, with this Retry-After. */
  | { readonly busy: number }
  | { readonly gzip: Buffer }
  | { readonly redirect: string }
  | 'nothing'
  | 'silence';

export interface SourceWorld {
  readonly source: MediaSource;
  /**
   * A host at 127.0.0.1, which is allowed. `private.example.com` and 10.0.0.1 are not allowed.
   * `mixed.example.com` has a public and a private address.
   */
  readonly url: string;
  /** An image of 3 by 2 pixels; different bytes each time. */
  anImage(): Promise<Buffer>;
  /** Sets the answer of the host below a path from now on. */
  answers(path: string, answer: HostAnswer): void;
  /** Waits until the host has seen this many requests. */
  seen(count: number): Promise<void>;
  /** The content of a local file; null when it does not exist. */
  bytesAt(path: string): Promise<Buffer | null>;
  /** The number of local files. */
  localFiles(): Promise<number>;
  /** Makes it impossible to write local files. */
  breakDisk(): Promise<void>;
  close(): Promise<void>;
}

const never = (): AbortSignal => new AbortController().signal;

const imageOf = (outcome: ImageOutcome | null): FetchedImage => {
  if (!outcome?.ok) throw new Error(`no image: ${JSON.stringify(outcome)}`);
  return outcome.value;
};

export const mediaSourceContract = (name: string, open: () => Promise<SourceWorld>): void => {
  describe(`MediaSource on ${name}`, () => {
    let world: SourceWorld;
    beforeEach(async () => {
      world = await open();
    });
    afterEach(() => world.close());

    const fetch = (path: string, signal = never()) =>
      world.source.fetch({ askedBy: 'app', url: parseUrl(path) ? path : `${world.url}${path}`, name: 'item-1' }, signal);
    const faultOf = async (path: string) => {
      const outcome = await fetch(path);
      return outcome?.ok === false ? outcome.code : outcome;
    };

    describe('fetch', () => {
      it('Fetches an image into a local file.', async () => {
        const bytes = await world.anImage();
        world.answers('/a', { bytes });
        const image = imageOf(await fetch('/a'));
        expect(await world.bytesAt(image.path)).toEqual(bytes);
      });

      it('Returns the size, hash and dimensions of the image.', async () => {
        const bytes = await world.anImage();
        world.answers('/a', { bytes });
        const sha256 = createHash('sha256').update(bytes).digest('hex');
        expect(imageOf(await fetch('/a'))).toMatchObject({ sizeBytes: bytes.length, sha256, width: 3, height: 2 });
      });

      it("Refuses a URL when one of its host's addresses is not allowed, and each redirect to such a URL.", async () => {
        const refused = [
          'https://private.example.com/',
          'https://mixed.example.com/',
          'https://10.0.0.1/',
          'http://8.8.8.8/',
          'https://localhost/',
          'ftp://example.com/a.png',
          'https://user:secret@example.com/a.png',
        ];
        for (const [index, url] of refused.entries()) {
          expect(await faultOf(url), url).toBe('address_not_allowed');
          world.answers(`/${index}`, { redirect: url });
          expect(await faultOf(`/${index}`), `a redirect to ${url}`).toBe('address_not_allowed');
        }
      });

      it('Follows at most 3 redirects.', async () => {
        for (const step of [1, 2, 3, 4]) world.answers(`/${step}`, { redirect: `/${step + 1}` });
        world.answers('/5', { bytes: await world.anImage() });
        expect(await faultOf('/1')).toBe('fetch_failed');
        await world.source.release(imageOf(await fetch('/2')));
        world.answers('/again', { redirect: '/again' });
        expect(await faultOf('/again')).toBe('fetch_failed');
      });

      it('Refuses an image of more than 20 MiB.', async () => {
        const bytes = Buffer.concat([await world.anImage(), Buffer.alloc(MAX_IMAGE_BYTES)]);
        world.answers('/large', { bytes });
        expect(await faultOf('/large')).toBe('too_large');
      });

      it('Determines the type from the bytes, not from the name or a header.', async () => {
        world.answers('/a.txt', { bytes: await world.anImage() });
        await world.source.release(imageOf(await fetch('/a.txt')));
        for (const text of ['<svg xmlns="http://www.w3.org/2000/svg"/>', '<!doctype html>', '']) {
          world.answers('/a.png', { bytes: Buffer.from(text) });
          expect(await faultOf('/a.png'), text).toBe('unsupported_type');
        }
      });

      it('Returns what went wrong on the other side as an outcome.', async () => {
        world.answers('/none', 'nothing');
        const outcome = await fetch('/none');
        expect(outcome).toEqual({ ok: false, code: 'fetch_failed', message: expect.stringMatching(/./) });
      });

      it('Says which faults may pass, and the Retry-After of such a response.', async () => {
        world.answers('/none', 'nothing');
        world.answers('/busy', { busy: 7 });
        expect(await fetch('/none')).not.toHaveProperty('passing');
        expect(await fetch('/busy')).toMatchObject({ ok: false, code: 'fetch_failed', passing: { retryAfterSeconds: 7 } });
      });

      it('Decodes a response that is compressed, and judges its size after that.', async () => {
        const bytes = await world.anImage();
        world.answers('/a', { gzip: bytes });
        world.answers('/large', { gzip: Buffer.concat([bytes, Buffer.alloc(MAX_IMAGE_BYTES)]) });
        const image = imageOf(await fetch('/a'));
        expect([image.sizeBytes, await world.bytesAt(image.path)]).toEqual([bytes.length, bytes]);
        expect(await faultOf('/large')).toBe('too_large');
      });

      it('Returns null when it was aborted before it ended.', async () => {
        world.answers('/slow', 'silence');
        const stop = new AbortController();
        const fetching = fetch('/slow', stop.signal);
        await world.seen(1);
        stop.abort();
        expect(await fetching).toBeNull();
        expect(await fetch('/slow', stop.signal)).toBeNull();
      });

      it('Leaves no file when it returns no image.', async () => {
        world.answers('/text', { bytes: Buffer.from('text') });
        await faultOf('/text');
        await faultOf('/none');
        world.answers('/slow', 'silence');
        const stop = new AbortController();
        const fetching = fetch('/slow', stop.signal);
        await world.seen(3);
        stop.abort();
        await fetching;
        expect(await world.localFiles()).toBe(0);
      });

      it('Replaces the file of an earlier fetch with the same name.', async () => {
        world.answers('/a', { bytes: await world.anImage() });
        await fetch('/a');
        const bytes = await world.anImage();
        world.answers('/a', { bytes });
        const image = imageOf(await fetch('/a'));
        expect(await world.bytesAt(image.path)).toEqual(bytes);
        expect(await world.localFiles()).toBe(1);
      });
      it('Rejects when the local file cannot be written.', async () => {
        world.answers('/a', { bytes: await world.anImage() });
        await world.breakDisk();
        await expect(fetch('/a')).rejects.toThrow();
      });
    });

    describe('release', () => {
      it("Removes the image's file.", async () => {
        world.answers('/a', { bytes: await world.anImage() });
        const image = imageOf(await fetch('/a'));
        await world.source.release(image);
        expect(await world.bytesAt(image.path)).toBeNull();
      });
      it('Does nothing when the file does not exist.', async () => {
        world.answers('/a', { bytes: await world.anImage() });
        const image = imageOf(await fetch('/a'));
        await world.source.release(image);
        await world.source.release(image);
        expect(await world.localFiles()).toBe(0);
      });
    });

    describe('close', () => {
      it('Aborts all fetches.', async () => {
        world.answers('/slow', 'silence');
        const fetching = fetch('/slow');
        await world.seen(1);
        await world.source.close();
        expect(await fetching).toBeNull();
        expect(await fetch('/slow')).toBeNull();
      });
    });
  });
};
