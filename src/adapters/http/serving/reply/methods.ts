import type { RequestHandler } from 'express';

import { sendError } from './send-error.ts';
import type { ErrorShape } from '../../route-declaration.ts';

/**
 * The value of Allow for a path with these methods, in upper case. Express answers HEAD wherever it
 * answers GET.
 */
const allowOf = (methods: readonly string[]): string => {
  const all = new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])));
  return [...all, 'OPTIONS'].join(', ');
};

/**
 * The last handler of a path: answers every method that the path does not have. OPTIONS is 204, any
 * other is 405 (RFC 9110, 9.3.7 and 15.5.6), both with Allow. It comes before any authentication:
 * what methods a path has is public.
 */
export const otherMethods = (methods: readonly string[], shape: ErrorShape): RequestHandler => {
  const allow = allowOf(methods);
  return (req, res) => {
    res.setHeader('Allow', allow);
    if (req.method === 'OPTIONS') {
      res.status(204).end();
      return;
    }
    const message = `${req.method} is not allowed here. Use one of the methods in Allow.`;
    sendError(req, res, shape, { code: 'method_not_allowed', message });
  };
};
