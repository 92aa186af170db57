import { whereIs } from '../startup/database-url.ts';

/** PostgreSQL refuses a write with this code, because the server is a standby or read-only. */
export const READ_ONLY = '25006';

/** The server answers, and takes no writes, or another one was promoted after it. */
export class NotPrimary extends Error {
  override readonly name = 'NotPrimary';
  readonly code = READ_ONLY;
}

export interface ParameterStatus {
  readonly parameterName: string;
  readonly parameterValue: string;
}

/**
 * Parameters that PostgreSQL reports when a connection begins, and whenever they change. A pooler
 * and PostgreSQL 13 do not: there a write is refused, which ends the connection as well.
 */
const WHY_NOT: Readonly<Record<string, string>> = {
  in_hot_standby: 'is a standby',
  default_transaction_read_only: 'takes no writes: default_transaction_read_only is on',
};

/** Reasons why a server that reports this is not the primary. Null for any other report. */
export const refusalOf = ({ parameterName, parameterValue }: ParameterStatus, url: string): NotPrimary | null => {
  const why = WHY_NOT[parameterName];
  return why === undefined || parameterValue !== 'on' ? null : new NotPrimary(`${whereIs(url)} ${why}`);
};
