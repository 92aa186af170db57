import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';

import { CommandFailure, EXIT } from '../failure.ts';
import type { CliProcess } from '../context.ts';
import { parseUrl } from '../../../domain/values/url.ts';
import { readProfile, type Profile } from './profiles.ts';
import { codeOf } from '../../../domain/values/error.ts';

export interface Connection {
  readonly url: string;
  readonly token: string;
}

export interface ConnectionFlags {
  readonly adminUrl?: string | undefined;
  readonly profile?: string | undefined;
}

type Env = CliProcess['env'];

/** A variable that is set but empty counts as not set. */
export const given = (env: Env, name: string): string | undefined => env[name]?.trim() || undefined;

/** The origin of an address. A path, a query or a password is refused: none of it would be used. */
export const originOf = (text: string, where: string): string => {
  const url = parseUrl(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`) {
    throw new CommandFailure(`${where} must be a URL such as http://127.0.0.1:4001.`, EXIT.usage);
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
    if (codeOf(error) === 'ENOENT') return null;
    if (codeOf(error) === 'EACCES') {
      throw new CommandFailure(
        `${path} belongs to another user. Run the command as the user of the server, or set TENON_ADMIN_TOKEN.`,
        EXIT.notPermitted,
      );
    }
    throw new CommandFailure(`${path} is damaged. Set TENON_ADMIN_TOKEN.`, EXIT.notPermitted);
  }
};

/**
 * Where a server on this machine listens, by its settings. Not `localhost`: that is two addresses on
 * most machines, and another user may listen on the one that the server does not have.
 */
const ownHost = (env: Env): string => {
  const host = given(env, 'ADMIN_HOST') ?? '127.0.0.1';
  if (/^(localhost|0\.0\.0\.0)$/.test(host)) return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
};

const ownAddress = (env: Env): string => new URL(`http://${ownHost(env)}:${given(env, 'ADMIN_PORT') ?? '4001'}`).origin;

/** The address that flags, environment or profile name; else that of a server on this machine. */
const addressOf = (env: Env, { adminUrl }: ConnectionFlags, profile: Profile | undefined): string => {
  const set = given(env, 'TENON_ADMIN_URL');
  if (adminUrl !== undefined) return originOf(adminUrl, '--admin-url');
  if (set !== undefined) return originOf(set, 'TENON_ADMIN_URL');
  return profile?.adminUrl ?? ownAddress(env);
};

/** The address that is dialled. A certificate for localhost keeps strangers out, so only http needs it. */
const dialled = (url: string, env: Env): string => {
  const { protocol, hostname } = new URL(url);
  if (protocol !== 'http:' || hostname !== 'localhost') return url;
  const own = ownHost(env);
  return url.replace('//localhost', `//${/^(127\.|\[::1\])/.test(own) ? own : '127.0.0.1'}`);
};

const tokenFor = (url: string, env: Env, profile: Profile | undefined): string | null => {
  const set = given(env, 'TENON_ADMIN_TOKEN');
  if (set !== undefined) return set;
  if (profile?.adminUrl === url) return profile.adminToken;
  // Another user of this machine may listen on another port.
  return dialled(url, env) === ownAddress(env) ? (given(env, 'ADMIN_TOKEN') ?? localToken(env)) : null;
};

/**
 * Flags, then TENON_ADMIN_URL and TENON_ADMIN_TOKEN, then a profile, then the settings and the secrets
 * of a server on this machine. A token is sent only to the address that it was given for: neither
 * a profile's nor this machine's goes to another, and this machine's goes to the address that its
 * server listens on. Throws a CommandFailure.
 */
export const findConnection = (env: Env, flags: ConnectionFlags): Connection => {
  const profile = readProfile(env, flags.profile ?? given(env, 'TENON_PROFILE'));
  const url = addressOf(env, flags, profile);
  const token = tokenFor(url, env, profile);
  if (token === null) {
    throw new CommandFailure(
      `There is no admin token for ${url}. Set TENON_ADMIN_TOKEN, or run the command in the folder where the server was started.`,
      EXIT.notPermitted,
    );
  }
  return { url: dialled(url, env), token };
};
