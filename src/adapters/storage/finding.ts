export type Severity = 'ok' | 'warning' | 'failed' | 'skipped';

export interface Finding {
  readonly check: string;
  readonly result: Severity;
  readonly message: string;
  readonly remedy: string | null;
}

export type UnnamedFinding = Omit<Finding, 'check'>;

export const fine = (message: string): UnnamedFinding => ({ result: 'ok', message, remedy: null });
export const skipped = (message: string): UnnamedFinding => ({ result: 'skipped', message, remedy: null });
export const warning = (message: string, remedy: string): UnnamedFinding => ({ result: 'warning', message, remedy });
export const failed = (message: string, remedy: string): UnnamedFinding => ({ result: 'failed', message, remedy });

/** Several where each fault has its own remedy. None where the check does not concern this server. */
export type CheckResult = UnnamedFinding | readonly UnnamedFinding[];
export type DoctorCheck = () => Promise<CheckResult> | CheckResult;

export interface NamedCheck {
  readonly name: string;
  readonly run: DoctorCheck;
  /** True where only some servers have the checked thing. Then a check that cannot run shows nothing. */
  readonly isOfSome?: true;
  /** True if the check reads or writes the tables of this version. */
  readonly needsTables?: true;
}

/** Result of reaching the database. */
export interface Reach {
  readonly isReached: boolean;
  readonly found: UnnamedFinding;
}
