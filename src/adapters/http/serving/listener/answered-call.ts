import type { Response } from 'express';

import type { Call } from '../../../../application/insight/count-calls.ts';

/** The call of an app that this response ends, for its figures; null where none of an app does. */
export const answeredCall = (response: Response, durationMs: number): Call | null => {
  const { caller, open } = response.locals;
  if (caller === undefined) return null;
  return {
    storeId: caller.storeId,
    installationId: caller.installationId,
    at: Date.now() - durationMs,
    status: response.writableFinished ? response.statusCode : null,
    durationMs: open.waitMs > 0 ? null : durationMs,
  };
};
