import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** Requests whose client waits with its body and has not yet been asked for it. */
const waiting = new WeakSet<IncomingMessage>();

/** True when the client may still hold its body back, so that it never arrives. */
export const isWithheld = (req: IncomingMessage): boolean => waiting.has(req);

/**
 * Answers `Expect: 100-continue` (RFC 9110, 10.1.1): `100 Continue` is sent once somebody reads the
 * body. What is refused before, for its credentials, type or length, gets its refusal alone. Another
 * expectation is refused.
 */
export const answerExpectations = (server: Server, refuseExpectation: (res: ServerResponse) => void): void => {
  server.on('checkContinue', (req, res) => {
    waiting.add(req);
    const onListener = (event: string | symbol): void => {
      // The listeners for `data` and `readable` make a body flow.
      if (event !== 'data' && event !== 'readable') return;
      req.off('newListener', onListener);
      waiting.delete(req);
      if (!res.headersSent) res.writeContinue();
    };
    req.on('newListener', onListener);
    server.emit('request', req, res);
  });
  server.on('checkExpectation', (req, res) => {
    if (req.headers.expect?.trim() === '') server.emit('request', req, res);
    else refuseExpectation(res);
  });
};
