import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';

import { CommandFailure, EXIT } from '../failure.ts';
import type { CliProcess } from '../context.ts';
import { parseUrl } from '../../../domain/values/url.ts';
import { readProfile, type Profile } from './profiles.ts';
import { codeOf } from '../../../domain/values/error.ts';
import { readServerRecord, type ServerRecord } from '../../startup/server-record.ts';

export interface AdminConnection {
  readonly url: string;
  readonly token: string;
  /** Source of the token: a variable, a profile or a file. */
  readonly origin: string;
}

type Token = Omit<AdminConnection, 'url'>;

export interface ConnectionFlags {
  readonly adminUrl?: string | undefined;
  readonly profile?: string | undefined;
}

type Env = CliProcess['env'];

/** A variable that is set but empty counts as not set. */
export const given = (env: Env, name: string): string | undefined => env[name]?.trim() || undefined;

/** The origin of an address. A path, a query or a password is refused: none of it would be used. */
export const adminOriginOf = (text: string, where: string): string => {
  const url = parseUrl(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`) {
    throw new CommandFailure(`${where} must be a URL such as http://127.0.0.1:4001.`, EXIT.usage);
  }
  return url.origin;
};

const kept = z.object({ adminToken: z.string() });

const dataDirectory = (env: Env): string => resolve(given(env, 'DATA_DIR') ?? './data');

/** The token that the first start on this machine made; null when there is none. */
const localToken = (env: Env): Token | null => {
  const path = resolve(dataDirectory(env), 'secrets.json');
  try {
    return { token: kept.parse(JSON.parse(readFileSync(path, 'utf8'))).adminToken, origin: path };
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
 * Address of a server on this machine, by its settings. Not `localhost`: that is two addresses on
 * most machines, and another user may listen on the one that the server does not have.
 */
const ownHost = (env: Env): string => {
  const host = given(env, 'ADMIN_HOST') ?? '127.0.0.1';
  if (/^(localhost|0\.0\.0\.0)$/.test(host)) return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
};

const isSetHere = (env: Env): boolean => given(env, 'ADMIN_HOST') !== undefined || given(env, 'ADMIN_PORT') !== undefined;

/** Address of this folder's server: from the settings, or else from its own note that it listens. */
const ownAddress = (env: Env, record: ServerRecord | null): string =>
  record !== null && !isSetHere(env)
    ? record.adminUrl
    : new URL(`http://${ownHost(env)}:${given(env, 'ADMIN_PORT') ?? '4001'}`).origin;

/** The address that flags, environment or profile name; else that of a server on this machine. */
const addressOf = (env: Env, { adminUrl }: ConnectionFlags, profile: Profile | undefined): string | undefined => {
  const set = given(env, 'TENON_ADMIN_URL');
  if (adminUrl !== undefined) return adminOriginOf(adminUrl, '--admin-url');
  if (set !== undefined) return adminOriginOf(set, 'TENON_ADMIN_URL');
  return profile?.adminUrl;
};

/** The address that is dialled. A certificate for localhost keeps strangers out, so only http needs it. */
const dialled = (url: string, env: Env): string => {
  const { protocol, hostname } = new URL(url);
  if (protocol !== 'http:' || hostname !== 'localhost') return url;
  const own = ownHost(env);
  return url.replace('//localhost', `//${/^(127\.|\[::1\])/.test(own) ? own : '127.0.0.1'}`);
};

/** The token of the data directory belongs to the server that is running there, and another server may have its address later. */
const recordedToken = (url: string, env: Env, { adminUrl, isRunning }: ServerRecord): Token | null => {
  if (url !== adminUrl) return null;
  if (!isRunning) {
    throw new CommandFailure(
      `The server of ${dataDirectory(env)} is not running. Start it with tenon start, or set TENON_ADMIN_URL and TENON_ADMIN_TOKEN for another.`,
      EXIT.unreachable,
    );
  }
  return localToken(env);
};

const machineToken = (url: string, env: Env, record: ServerRecord | null): Token | null => {
  const set = given(env, 'ADMIN_TOKEN');
  const own = ownAddress(env, record);
  if (set !== undefined) return url === own ? { token: set, origin: 'ADMIN_TOKEN' } : null;
  if (record !== null) return recordedToken(url, env, record);
  return url === own ? localToken(env) : null;
};

/**
 * Flags, then TENON_ADMIN_URL and TENON_ADMIN_TOKEN, then a profile, then the server that is running with this data directory,
 * or the settings of one on this machine. A token is sent only to the address that it was given for: neither
 * a profile's nor this machine's goes to another, and this machine's goes to the address that its
 * server listens on. Throws a CommandFailure.
 */
export const findConnection = async (env: Env, flags: ConnectionFlags): Promise<AdminConnection> => {
  const name = flags.profile ?? given(env, 'TENON_PROFILE');
  const profile = readProfile(env, name);
  const named = addressOf(env, flags, profile);
  const token = given(env, 'TENON_ADMIN_TOKEN');
  const record = await readServerRecord(dataDirectory(env));
  const url = named ?? ownAddress(env, record);
  const address = dialled(url, env);
  if (token !== undefined) return { url: address, token, origin: 'TENON_ADMIN_TOKEN' };
  if (profile?.adminUrl === url)
    return {
      url: address,
      token: profile.adminToken,
      origin: name === undefined ? 'your default profile' : `the profile ${name}`,
    };
  const own = machineToken(address, env, record);
  if (own !== null) return { url: address, ...own };
  const where = record === null ? '' : ` The server of ${dataDirectory(env)} is at ${record.adminUrl}.`;
  throw new CommandFailure(
    `There is no admin token for ${url}.${where} Set TENON_ADMIN_TOKEN, or run the command in the folder where the server was started.`,
    EXIT.notPermitted,
  );
};
