import { execFile, spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { chown, stat } from 'node:fs/promises';
import { promisify } from 'node:util';

import { StartFailure } from '../startup/start-failure.ts';

/** The account that the server runs as. PostgreSQL refuses to run as root. */
export interface Account {
  readonly uid: number;
  readonly own: (path: string) => Promise<void>;
  readonly spawn: (command: string, args: readonly string[], stdio: StdioOptions) => ChildProcess;
}

const run = promisify(execFile);

// Not the environment of this process: PG* variables would change what the server does, and it must
// not get secrets.
const env = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' };
// The database gets a separate process group, so that a Ctrl-C in the terminal reaches this process
// first and requests in flight still find the server.
const options = { env, detached: true, cwd: '/' } as const;

const ownAccount = (uid: number): Account => ({
  uid,
  own: () => Promise.resolve(),
  spawn: (command, args, stdio) => spawn(command, args, { ...options, stdio }),
});

const idsOf = async (user: string): Promise<{ uid: number; gid: number } | undefined> => {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', user]), run('id', ['-g', user])]);
    // macOS writes -2, the id of nobody, as 4294967294.
    return { uid: Number(uid.stdout) | 0, gid: Number(gid.stdout) | 0 };
  } catch {
    return undefined;
  }
};

const serverIds = async (cluster: string): Promise<{ uid: number; gid: number }> => {
  const present = await stat(cluster).catch(() => undefined);
  if (present !== undefined && present.uid !== 0) return { uid: present.uid | 0, gid: present.gid | 0 };
  const ids = (await idsOf('postgres')) ?? (await idsOf('nobody'));
  if (ids === undefined) {
    throw new StartFailure(
      'PostgreSQL does not run as root, and there is no user postgres or nobody. Start Tenon as another user, or set DATABASE_URL.',
    );
  }
  return ids;
};

/**
 * The capability to pass through folders that the user cannot enter, and no other capability of
 * root. `no_setuid_fixup` is needed because PostgreSQL checks its own binaries with access(2),
 * which otherwise ignores the capability.
 */
const passing = ({ uid, gid }: { uid: number; gid: number }): string[] => [
  ...[`--reuid=${String(uid)}`, `--regid=${String(gid)}`, '--clear-groups', '--securebits=+no_setuid_fixup'],
  ...['--bounding-set=-all,+dac_override', '--inh-caps=+dac_override', '--ambient-caps=+dac_override', '--'],
];

const probe = ['-c', 'cd "$1" && test -w . && "$2" --version', 'sh'];

/**
 * The account for a server with that binary and cluster: the account of this process unless it is
 * root. For root, it is the owner of the cluster, `postgres` or `nobody`. `folder` exists and will
 * contain the cluster. Throws a StartFailure when none of these accounts can reach both.
 */
export const chooseAccount = async (cluster: string, folder: string, binary: string): Promise<Account> => {
  const self = process.geteuid?.() ?? 0;
  if (self !== 0) return ownAccount(self);
  const ids = await serverIds(cluster);
  const own = (path: string): Promise<void> => chown(path, ids.uid >>> 0, ids.gid >>> 0);
  await own(folder);
  const args = [...probe, folder, binary];
  try {
    await run('/bin/sh', args, { ...options, ...ids });
    return { uid: ids.uid >>> 0, own, spawn: (command, rest, stdio) => spawn(command, rest, { ...options, ...ids, stdio }) };
  } catch {
    // The folder is below one that only root may enter, such as /root or one of mktemp -d.
  }
  try {
    await run('setpriv', [...passing(ids), '/bin/sh', ...args], options);
  } catch {
    throw new StartFailure(
      `Tenon runs as root, so the embedded PostgreSQL runs as user ${ids.uid}, who cannot reach ${folder} or ${binary}. Move them out of folders that only root may enter, start Tenon as another user, or set DATA_DIR or DATABASE_URL.`,
    );
  }
  return {
    uid: ids.uid >>> 0,
    own,
    spawn: (command, rest, stdio) => spawn('setpriv', [...passing(ids), command, ...rest], { ...options, stdio }),
  };
};
