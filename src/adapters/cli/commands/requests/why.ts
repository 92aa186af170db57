import type { RefusedRequest } from '../../../http/answers.ts';
import { madeAt } from '../../../../domain/insight/found.ts';
import { retry } from '../../../../domain/retry.ts';
import { whyRefused } from '../../../../domain/insight/refusals/why-refused.ts';
import type { AdminApi } from '../../admin/admin-api.ts';
import { requestId } from '../../admin/short-id.ts';
import { requestIds } from '../../completions.ts';
import { adminCommand } from '../../command.ts';
import { CommandFailure, EXIT } from '../../failure.ts';
import { STORE_FLAG } from '../../flags.ts';
import { pause } from '../../../startup/deadline.ts';

/** The nodes write the request log about once a second. A busy one takes longer. */
const WRITTEN_AFTER_MS = 10_000;
const POLL_MS = 250;

/** The refused request, which may have been answered a moment ago. */
const refused = async (api: AdminApi, id: string): Promise<RefusedRequest> => {
  // Never after the server's clock alone, which may be ahead.
  const writtenBy = Math.min(madeAt(id) ?? 0, Date.now()) + WRITTEN_AFTER_MS;
  const isMissing = (error: unknown): boolean => error instanceof CommandFailure && error.status === EXIT.notFound;
  return retry(() => api.get<RefusedRequest>(`/requests/${id}`), {
    tries: Infinity,
    pause: () => pause(POLL_MS),
    mayPass: (error) => isMissing(error) && Date.now() <= writtenBy,
  });
};

export const explainRequest = adminCommand({
  docs: {
    brief: 'Show why a request was refused',
    about:
      'Finds the request by the X-Request-Id of its response, for about a week. Waits up to 10 seconds for one that was just answered.',
    examples: ['tenon requests why 019a3c5e-7b1c-7c3e-9d53-0d3f6c8a2b11'],
  },
  flags: { store: STORE_FLAG },
  positional: {
    kind: 'tuple',
    parameters: [
      {
        parse: String,
        placeholder: 'request',
        brief: 'The X-Request-Id of the response, or its beginning',
        proposeCompletions: requestIds,
      },
    ],
  },
  run: async ({ api, print }, { store }, id) => {
    const request = await refused(api, await requestId(api, id, store));
    const { why, help } = whyRefused(request);
    const { leftOut, ...others } = request;
    print.one({ ...request, why, help }, { why, help, ...others, leftOut: leftOut === 0 ? null : leftOut });
  },
});
