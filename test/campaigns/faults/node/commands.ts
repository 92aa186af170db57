/** How a planted bug breaks a promise, to see that the checker notices. */
export const BUGS = [
  'split-commit',
  'no-lock',
  'unconditional-clean-up',
  'outbox-after-commit',
  'stock-after-commit',
  'no-lease',
  'full-disk-fails',
  'feed-by-time',
  'no-flush',
  'no-deadline',
  'backs-off',
  'ready-if-alive',
  'asks-redis',
  'no-epoch',
  'no-barrier',
  'no-order',
  'no-filter',
  'replaces-anew',
  'gathers-across',
  'brings-older',
  'lease-on-worker',
] as const;
export type Bug = (typeof BUGS)[number];

/** Action of a process at an armed point: it ends like kill -9, or stops until it is continued. */
export type Action = 'SIGKILL' | 'SIGSTOP';

export interface StartCommand {
  readonly kind: 'start';
  /** Settings, as environment variables have them. */
  readonly settings: Readonly<Record<string, string>>;
  readonly databaseUrl: string;
  /** How far this node's clock is off. */
  readonly clockOffsetMs: number;
  readonly plant: Bug | null;
}

export interface ArmCommand {
  readonly kind: 'arm';
  /** A name of POINTS. */
  readonly point: string;
  readonly action: Action;
  /** How often it is passed before it acts. */
  readonly passes: number;
}

/**
 * Where a process has no room on its disk: for the files that are kept, or for those that come in.
 */
export type FullFolder = 'media' | 'incoming';

export interface DiskCommand {
  readonly kind: 'disk';
  /** Null: there is room. */
  readonly full: FullFolder | null;
}

/** Orders of the campaign to its processes. */
export type Command = StartCommand | ArmCommand | DiskCommand | { readonly kind: 'disarm' };

/**
 * Reports of the processes: that all is loaded, where they listen, and that nothing is armed any
 * more. A reached point and a write to a full disk go through a pipe, which a kill can't outrun.
 */
export type Report =
  | { readonly kind: 'loaded' }
  | { readonly kind: 'disarmed' }
  | { readonly kind: 'listening'; readonly url: string; readonly adminUrl: string }
  | { readonly kind: 'failed'; readonly message: string };

/** The descriptor of that pipe. */
export const LANDED_FD = 4;
