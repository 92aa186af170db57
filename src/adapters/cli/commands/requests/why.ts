import type { RefusedRequest } from '../../../http/schemas/answers.ts';
import { whyRefused } from '../../../../domain/insight/refusals/why-refused.ts';
import { requestId } from '../../admin/short-id.ts';
import { requestIds } from '../../completions.ts';
import { adminCommand } from '../../command.ts';
import { STORE_FLAG } from '../../flags.ts';

export const explainRequest = adminCommand({
  docs: {
    brief: 'Show why a request was refused',
    about: 'Finds the request by the X-Request-Id of its response, for about a week.',
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
    const request = await api.get<RefusedRequest>(`/requests/${await requestId(api, id, store)}`);
    const { why, help } = whyRefused(request);
    const { leftOut, ...others } = request;
    print.one({ ...request, why, help }, { why, help, ...others, leftOut: leftOut === 0 ? null : leftOut });
  },
});
