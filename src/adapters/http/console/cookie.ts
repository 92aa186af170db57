import type { Request, Response } from 'express';

import { SESSION_SECONDS } from '../../../domain/identity/console-session.ts';
import { ATTEMPT_SECONDS } from '../../../domain/identity/sign-in-method.ts';
import { schemeOf, type TrustsProxy } from '../serving/listener/host.ts';

/** A cookie that carries a credential, sent back only below its path. */
export interface SessionCookie {
  /** The session; null where the request has no such cookie, or two. Express's `cookie` would give the first of two. */
  read(request: Request): string | null;
  set(request: Request, response: Response, session: string): void;
  clear(request: Request, response: Response): void;
}

/**
 * Cookies ignore ports: without the port in its name, the consoles of two servers on one host would
 * sign each other out.
 */
const nameOf = (name: string, { socket }: Request): string => `${name}_${String(socket.localPort)}`;

interface CookieOptions {
  readonly name: string;
  readonly path: string;
  readonly seconds: number;
  readonly trusts: TrustsProxy;
}

const createCookie = ({ name, path, seconds: lifetime, trusts }: CookieOptions): SessionCookie => {
  const write = (request: Request, response: Response, session: string, seconds: number): void => {
    const secure = schemeOf(request, trusts) === 'https' ? '; Secure' : '';
    const attributes = `Path=${path}; Max-Age=${String(seconds)}; HttpOnly; SameSite=Strict${secure}`;
    response.append('Set-Cookie', `${nameOf(name, request)}=${session}; ${attributes}`);
  };
  return {
    read: (request) => {
      const beginning = `${nameOf(name, request)}=`;
      const cookies = (request.headers.cookie ?? '').split(';').map((cookie) => cookie.trim());
      const [found, ...more] = cookies.filter((cookie) => cookie.startsWith(beginning));
      return found === undefined || more.length > 0 ? null : found.slice(beginning.length);
    },
    set: (request, response, session) => {
      write(request, response, session, lifetime);
    },
    clear: (request, response) => {
      write(request, response, '', 0);
    },
  };
};

/** Cookie of a session, below the path of its console. */
export const createSessionCookie = (path: string, trusts: TrustsProxy): SessionCookie =>
  createCookie({ name: 'tenon_console', path, seconds: SESSION_SECONDS, trusts });

/** Cookie of an attempt to sign in: another browser cannot finish it. */
export const createAttemptCookie = (path: string, trusts: TrustsProxy): SessionCookie =>
  createCookie({ name: 'tenon_sign_in', path, seconds: ATTEMPT_SECONDS, trusts });
