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
