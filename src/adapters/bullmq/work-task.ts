/** A job of the queue that waits for the next run. */
export interface Job {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** Work that runs on this node now, or ran less than its interval ago. */
export interface Task<Name extends string> {
  readonly key: string;
  readonly name: Name;
  readonly id: string;
  isRequested: boolean;
  jobs: Job[];
  rest?: NodeJS.Timeout;
  run?: Promise<void>;
}

export const keyOf = (name: string, id: string): string => `${name}:${id}`;
