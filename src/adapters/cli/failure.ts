/**
 * The exit statuses of the command line. Scripts depend on them: the list is part of its interface
 * (docs/command-line.md).
 */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  notPermitted: 4,
  refused: 5,
  unreachable: 6,
  /** This version is older than the database allows. To start it again brings nothing (deploy/tenon.service). */
  outdated: 7,
  interrupted: 130,
} as const;

export type ExitStatus = (typeof EXIT)[keyof typeof EXIT];

/**
 * Reason why a command could not do its work: one or a few lines for the person who ran it, without
 * a stack.
 */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';

  constructor(
    message: string,
    readonly status: ExitStatus = EXIT.failed,
  ) {
    super(message);
  }
}
