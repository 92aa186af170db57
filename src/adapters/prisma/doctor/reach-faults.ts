import { whereAre } from '../../startup/database-url.ts';
import { reasonOf } from '../../startup/start-failure.ts';
import { failed, fine, type UnnamedFinding } from '../../storage/finding.ts';
import type { Database } from '../connection/database.ts';
import { checkWrites } from '../connection/write-check.ts';

interface Fault {
  /** Codes of the socket, of the resolver and of PostgreSQL. */
  readonly codes: readonly string[];
  readonly says: (where: string, reason: string) => string;
  readonly remedy: string;
}

const refuses = (where: string, reason: string): string => `the database on ${where} refuses the connection: ${reason}`;

const FAULTS: readonly Fault[] = [
  {
    codes: ['ECONNREFUSED', 'ENOENT', '57P03'],
    says: (where, reason) => `the database on ${where} does not run, or does not listen there (${reason})`,
    remedy: 'Start the database, or change the host and the port in DATABASE_URL. Without DATABASE_URL the embedded one is used.',
  },
  {
    codes: ['ENOTFOUND', 'EAI_AGAIN'],
    says: (where, reason) => `the host of ${where} is not known (${reason})`,
    remedy: 'Change the host in DATABASE_URL, or check the name service of this machine.',
  },
  {
    codes: ['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ECONNRESET'],
    says: (where, reason) => `${where} does not answer (${reason})`,
    remedy: 'Check the host and the port in DATABASE_URL, and what is between: a firewall, a pooler, a network that is down.',
  },
  {
    codes: ['28000', '28P01'],
    says: refuses,
    remedy: 'Change the user or the password in DATABASE_URL, or create the role. pg_hba.conf says who may connect.',
  },
  {
    // A standby, or a server that is read-only.
    codes: ['25006'],
    says: (_, reason) => reason,
    remedy: 'Set DATABASE_URL to the primary, or name all servers: postgresql://host1:5432,host2:5432/name.',
  },
  {
    codes: ['53100'],
    says: (where, reason) => `the disk of ${where} is full: each write gets 503 (${reason})`,
    remedy: 'Free space on the disk of PostgreSQL. The server continues by itself.',
  },
  { codes: ['3D000'], says: refuses, remedy: 'Create the database, or change its name in DATABASE_URL.' },
  { codes: ['53300'], says: refuses, remedy: 'Raise max_connections, or end what holds the connections.' },
];

const UNKNOWN: Fault = { codes: [], says: refuses, remedy: 'Check DATABASE_URL. The log of the database may say more.' };

const codesOf = (error: unknown): string[] =>
  error instanceof Error ? [String((error as NodeJS.ErrnoException).code), ...codesOf(error.cause)] : [];

const rootOf = (error: unknown): unknown =>
  error instanceof Error && error.cause instanceof Error ? rootOf(error.cause) : error;

/** Says why the database at this address can't be reached, and what to do about this very cause. */
export const reachFault = (url: string, error: unknown): UnnamedFinding => {
  const reason = reasonOf(rootOf(error));
  const codes = reason === 'timeout expired' ? ['ETIMEDOUT'] : codesOf(error);
  const { says, remedy } = FAULTS.find((fault) => fault.codes.some((code) => codes.includes(code))) ?? UNKNOWN;
  return failed(says(whereAre(url), reason), remedy);
};

/** The check of /readyz. The doctor must not say ok where a node is not ready. */
export const checkWritable = (database: Database, url: string): Promise<UnnamedFinding> =>
  checkWrites(database).then(
    () => fine('the database takes writes'),
    (error: unknown) => reachFault(url, error),
  );
