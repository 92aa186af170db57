import type { Subject } from './work-task.ts';

/** The store of what has the id, for a job that an earlier version requested. Null when no store has it. */
export type StoreOfSubject = (id: string) => Promise<string | null>;

/** Does the work in the store of its subject. Does nothing when no store has it any more. */
export const inStore =
  (storeOf: StoreOfSubject, work: (storeId: string, id: string) => Promise<void>) =>
  async ({ id, storeId: named }: Subject): Promise<void> => {
    const storeId = named ?? (await storeOf(id));
    if (storeId !== null) await work(storeId, id);
  };
