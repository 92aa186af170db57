import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { VariantChange } from 'tenon-client';

/** The warehouse's values for a SKU. */
export interface Row {
  readonly price: number;
  readonly stock: number;
}

/** Changes under way, and what the store has of each SKU once they are made. */
export interface Job {
  readonly key: string;
  readonly plannedAt: string;
  readonly changes: readonly (VariantChange & { readonly sku: string })[];
  readonly rows: Readonly<Record<string, Row>>;
}

/** All that the app must not forget. */
export interface State {
  readonly id: string;
  readonly jobs: number;
  readonly job: Job | null;
  /** Values that the app has sent to the store. */
  readonly told: Readonly<Record<string, Row>>;
}

export const readState = async (path: string): Promise<State> => {
  const text = await readFile(path, 'utf8').catch(() => null);
  return text === null ? { id: randomUUID(), jobs: 0, job: null, told: {} } : (JSON.parse(text) as State);
};

/** A reader of the file finds the old state or the new one, also after a power cut. */
export const writeState = async (path: string, state: State): Promise<void> => {
  await mkdir(dirname(path), { recursive: true });
  const file = await open(`${path}.new`, 'w');
  await file.writeFile(JSON.stringify(state));
  await file.sync();
  await file.close();
  await rename(`${path}.new`, path);
};
