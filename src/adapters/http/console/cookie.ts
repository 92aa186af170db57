import type { Request, Response } from 'express';

import { SESSION_SECONDS } from '../../../domain/identity/console-session.ts';
import { schemeOf, type TrustsProxy } from '../serving/listener/host.ts';

/** The cookie that carries a session, sent back only below the path of its console. */
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
const nameOf = ({ socket }: Request): string => `tenon_console_${String(socket.localPort)}`;

export const createSessionCookie = (path: string, trusts: TrustsProxy): SessionCookie => {
  const write = (request: Request, response: Response, session: string, seconds: number): void => {
    const secure = schemeOf(request, trusts) === 'https' ? '; Secure' : '';
    const attributes = `Path=${path}; Max-Age=${String(seconds)}; HttpOnly; SameSite=Strict${secure}`;
    response.setHeader('Set-Cookie', `${nameOf(request)}=${session}; ${attributes}`);
  };
  return {
    read: (request) => {
      const beginning = `${nameOf(request)}=`;
      const cookies = (request.headers.cookie ?? '').split(';').map((cookie) => cookie.trim());
      const [found, ...more] = cookies.filter((cookie) => cookie.startsWith(beginning));
      return found === undefined || more.length > 0 ? null : found.slice(beginning.length);
    },
    set: (request, response, session) => {
      write(request, response, session, SESSION_SECONDS);
    },
    clear: (request, response) => {
      write(request, response, '', 0);
    },
  };
};
