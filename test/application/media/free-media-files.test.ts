import { beforeEach, describe, expect, it } from 'vitest';

import { mediaFilesOf } from '../../memory/media/media-file-repository.ts';
import { createMemoryState, type MemoryState } from '../../memory/state.ts';
import { freeMediaFiles, type FreeingOptions } from '../../../src/application/media/free-media-files.ts';
import type { Ports } from '../../../src/domain/ports/index.ts';
import { openMemoryPorts, type MemoryWorld } from '../../support/memory-ports.ts';

const HOUR_MS = 3_600_000;

let state: MemoryState;
let world: MemoryWorld;
let stopping: AbortController;

const announce = async (...keys: string[]): Promise<void> => {
  for (const key of keys) {
    await world.mediaFiles.announce({ storeId: 's', key, contentType: 'image/gif', sizeBytes: 1, width: 1, height: 1 });
    world.mediaStorage.files.set(key, Buffer.from('x'));
  }
};
const left = (): string[][] => [[...mediaFilesOf(state).values()].map(({ key }) => key), [...world.mediaStorage.files.keys()]];
const freeing = (over: Partial<FreeingOptions> = {}, ports: Partial<Ports> = {}): (() => Promise<number>) =>
  freeMediaFiles({ ...world, ...ports }, { mediaUrl: 'https://m.test', stopping: stopping.signal, ...over });

beforeEach(() => {
  [state, stopping] = [createMemoryState(), new AbortController()];
  world = openMemoryPorts({}, state);
});

describe('a round that frees files', () => {
  it('removes the unused ones, with their bytes, and returns their number', async () => {
    await announce('a', 'b');
    world.clock.advance(HOUR_MS + 1);
    await announce('c');
    expect(await freeing()()).toBe(2);
    expect(left()).toEqual([['c'], ['c']]);
  });
  it('looks at a batch, and the next round continues after it, up to the end and from the start again', async () => {
    await announce('a', 'b', 'c', 'd', 'e');
    world.clock.advance(HOUR_MS + 1);
    const round = freeing({ batch: 2 });
    expect([await round(), left()[0]]).toEqual([2, ['c', 'd', 'e']]);
    await announce('a');
    world.clock.advance(HOUR_MS + 1);
    expect([await round(), left()[0]]).toEqual([2, ['e', 'a']]);
    expect([await round(), left()[0]]).toEqual([1, ['a']]);
    expect([await round(), left()[0]]).toEqual([1, []]);
  });
  it('does not count a file that is in use again', async () => {
    await announce('a', 'b');
    world.clock.advance(HOUR_MS + 1);
    const mediaFiles: Ports['mediaFiles'] = {
      ...world.mediaFiles,
      unused: async (...given) => {
        const found = await world.mediaFiles.unused(...given);
        await announce('a');
        return found;
      },
    };
    expect(await freeing({}, { mediaFiles })()).toBe(1);
    expect(left()[0]).toEqual(['a']);
  });
  it('ends with the file that it removes when its node stops', async () => {
    await announce('a', 'b', 'c');
    world.clock.advance(HOUR_MS + 1);
    const remove = async (key: string): Promise<void> => {
      await world.mediaStorage.remove(key);
      stopping.abort();
    };
    const round = freeing({}, { mediaStorage: { ...world.mediaStorage, remove } });
    expect(await round()).toBe(1);
    expect(await round()).toBe(0);
    expect(left()[0]).toEqual(['b', 'c']);
  });
  it('continues after a file that cannot be removed', async () => {
    await announce('a', 'b', 'c');
    world.clock.advance(HOUR_MS + 1);
    const remove = (key: string): Promise<void> =>
      key === 'b' ? Promise.reject(new Error('away')) : world.mediaStorage.remove(key);
    const round = freeing({}, { mediaStorage: { ...world.mediaStorage, remove } });
    await expect(round()).rejects.toThrow('away');
    expect(left()[0]).toEqual(['b', 'c']);
    expect(await round()).toBe(1);
    expect(left()[0]).toEqual(['b']);
  });
});
