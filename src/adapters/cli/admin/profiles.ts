import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';

import type { CliProcess } from '../context.ts';
import { CommandFailure, EXIT } from '../failure.ts';
import { codeOf } from '../../../domain/values/error.ts';

const profile = z.object({ adminUrl: z.string(), adminToken: z.string() });
const file = z.object({ profiles: z.record(z.string(), profile), default: z.string().optional() });

export type Profile = z.output<typeof profile>;
export type Profiles = z.output<typeof file>;

type Env = CliProcess['env'];

/** The file of profiles, by the XDG base directory specification. */
export const profilesFile = (env: Env): string =>
  join(env['XDG_CONFIG_HOME'] || join(env['HOME'] || homedir(), '.config'), 'tenon', 'config.json');

/** Every profile. Throws a CommandFailure when the file can't be read. */
export const readProfiles = (env: Env): Profiles => {
  const path = profilesFile(env);
  try {
    return file.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { profiles: {} };
    // The cause is left out: its text may quote a token.
    throw new CommandFailure(`${path} is not a valid profiles file. Fix it or remove it.`);
  }
};

/** The named profile, or the default one; undefined when none is named and there is no default. */
export const readProfile = (env: Env, name: string | undefined): Profile | undefined => {
  const { profiles, default: standard } = readProfiles(env);
  const wanted = name ?? standard;
  if (wanted === undefined) return undefined;
  const found = Object.hasOwn(profiles, wanted) ? profiles[wanted] : undefined;
  if (found === undefined) throw new CommandFailure(`There is no profile ${wanted}. See tenon profile list.`, EXIT.notFound);
  return found;
};

/** Replaces the file as a whole, readable by its owner only. */
export const writeProfiles = (env: Env, profiles: Profiles): void => {
  const path = profilesFile(env);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${String(process.pid)}`;
  writeFileSync(draft, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, path);
};
