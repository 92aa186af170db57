import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';

import { CommandFailure, EXIT } from '../failure.ts';
import type { CliProcess } from '../context.ts';
import { parseUrl } from '../../../domain/values/url.ts';
import { readProfile } from './profiles.ts';
import type { Profile } from './profiles.ts';

/** Where the admin API is, and what opens it. */
export interface Connection {
  readonly url: string;
  readonly token: string;
}

export interface ConnectionFlags {
  readonly adminUrl?: string | undefined;
  readonly profile?: string | undefined;
}

type Env = CliProcess['env'];

const LOCAL = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** A variable that is set but empty counts as not set. */
export const given = (env: Env, name: string): string | undefined => env[name]?.trim() || undefined;

/** The origin of an address. A path, a query or a password is refused: none of it would be used. */
export const originOf = (text: string, where: string): string => {
  const url = parseUrl(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`) {
    throw new CommandFailure(`${where} must be a URL such as http://localhost:4001.`, EXIT.usage);
  }
  return url.origin;
};

const kept = z.object({ adminToken: z.string() });

/** The token that the first start on this machine made; null when there is none. */
const localToken = (env: Env): string | null => {
  const path = resolve(given(env, 'DATA_DIR') ?? './data', 'secrets.json');
  try {
    return kept.parse(JSON.parse(readFileSync(path, 'utf8'))).adminToken;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    if (error instanceof Error && 'code' in error && error.code === 'EACCES') {
      throw new CommandFailure(
        `${path} belongs to another user. Run the command as the user of the server, or set TENON_ADMIN_TOKEN.`,
        EXIT.notPermitted,
      );
    }
    throw new CommandFailure(`${path} is damaged. Set TENON_ADMIN_TOKEN.`, EXIT.notPermitted);
  }
};

/** The address that flags, environment or profile name; else that of a server on this machine. */
const addressOf = (env: Env, { adminUrl }: ConnectionFlags, profile: Profile | undefined): string => {
  const set = given(env, 'TENON_ADMIN_URL');
  if (adminUrl !== undefined) return originOf(adminUrl, '--admin-url');
  if (set !== undefined) return originOf(set, 'TENON_ADMIN_URL');
  return profile?.adminUrl ?? `http://localhost:${given(env, 'ADMIN_PORT') ?? '4001'}`;
};

const tokenFor = (url: string, env: Env, profile: Profile | undefined): string | null => {
  const set = given(env, 'TENON_ADMIN_TOKEN');
  if (set !== undefined) return set;
  if (profile?.adminUrl === url) return profile.adminToken;
  return LOCAL.test(new URL(url).hostname) ? (given(env, 'ADMIN_TOKEN') ?? localToken(env)) : null;
};

/**
 * Flags, then TENON_ADMIN_URL and TENON_ADMIN_TOKEN, then a profile, then the settings and the secrets
 * of a server on this machine. A token is sent only to the address that it was given for: neither
 * a profile's nor this machine's goes to another. Throws a CommandFailure.
 */
export const findConnection = (env: Env, flags: ConnectionFlags): Connection => {
  const profile = readProfile(env, flags.profile ?? given(env, 'TENON_PROFILE'));
  const url = addressOf(env, flags, profile);
  const token = tokenFor(url, env, profile);
  if (token === null) {
    throw new CommandFailure(
      `There is no admin token for ${url}. Set TENON_ADMIN_TOKEN, or run the command in the folder that the server was started in.`,
      EXIT.notPermitted,
    );
  }
  return { url, token };
};
