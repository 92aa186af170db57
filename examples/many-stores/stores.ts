import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface KnownStore {
  readonly storeId: string;
  readonly domain: string;
  readonly state: 'working' | 'suspended' | 'gone';
  /** When the event happened that said so. */
  readonly at: string;
}

export type Stores = Awaited<ReturnType<typeof openStores>>;

/** The stores that have installed the app, in a file. An app with many of them uses its database. */
export const openStores = async (path: string) => {
  const text = await readFile(path, 'utf8').catch(() => '[]');
  const known = new Map((JSON.parse(text) as KnownStore[]).map((store) => [store.storeId, store]));
  let writing: Promise<void> = Promise.resolve();

  /** A reader of the file finds the old stores or the new ones. */
  const write = async (): Promise<void> => {
    await mkdir(dirname(path), { recursive: true });
    const file = await open(`${path}.new`, 'w');
    await file.writeFile(JSON.stringify([...known.values()]));
    await file.sync();
    await file.close();
    await rename(`${path}.new`, path);
  };

  return {
    working: (): readonly KnownStore[] => [...known.values()].filter(({ state }) => state === 'working'),
    /** Resolves once it is on the disk. An event that was overtaken by a later one changes nothing. */
    learn: (storeId: string, state: KnownStore['state'], at: string, domain?: string): Promise<void> => {
      const before = known.get(storeId);
      if (before !== undefined && before.at > at) return Promise.resolve();
      // `app.uninstalled` is kept where it comes first, so that a late `app.installed` is known to be old.
      known.set(storeId, { storeId, domain: domain ?? before?.domain ?? '', state, at });
      writing = writing.then(write, write);
      return writing;
    },
  };
};
