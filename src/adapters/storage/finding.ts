export type Severity = 'ok' | 'warning' | 'failed' | 'skipped';

export interface Finding {
  readonly check: string;
  readonly result: Severity;
  readonly message: string;
  readonly remedy: string | null;
}

export type Found = Omit<Finding, 'check'>;

export const fine = (message: string): Found => ({ result: 'ok', message, remedy: null });
export const skipped = (message: string): Found => ({ result: 'skipped', message, remedy: null });
export const warning = (message: string, remedy: string): Found => ({ result: 'warning', message, remedy });
export const failed = (message: string, remedy: string): Found => ({ result: 'failed', message, remedy });

export type Check = () => Promise<Found> | Found;

export interface NamedCheck {
  readonly name: string;
  readonly run: Check;
}

/** Whether the database was reached, and what was found there. */
export interface Reach {
  readonly isReached: boolean;
  readonly found: Found;
}
