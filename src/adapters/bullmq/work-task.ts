export interface Job {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** Subject of a piece of work. A job that a process of an earlier version requested has no store. */
export interface Subject {
  readonly id: string;
  readonly storeId?: string;
}

export interface Task<Name extends string> {
  readonly key: string;
  readonly name: Name;
  readonly subject: Subject;
  isRequested: boolean;
  jobs: Job[];
  rest?: NodeJS.Timeout;
  run?: Promise<void>;
}

export const taskKey = (name: string, id: string): string => `${name}:${id}`;

/** The store of what has the id, for a job that an earlier version requested. Null when no store has it. */
export type StoreOfSubject = (id: string) => Promise<string | null>;

/** Does the work in the store of its subject. Does nothing when no store has it any more. */
export const inStore =
  (storeOf: StoreOfSubject, work: (storeId: string, id: string) => Promise<void>) =>
  async ({ id, storeId: named }: Subject): Promise<void> => {
    const storeId = named ?? (await storeOf(id));
    if (storeId !== null) await work(storeId, id);
  };
