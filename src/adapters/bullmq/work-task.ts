export interface Job {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

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
