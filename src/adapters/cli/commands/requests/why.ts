import type { RefusedRequest } from '../../../http/schemas/answers.ts';
import { whyRefused } from '../../../../domain/insight/refusals/why-refused.ts';
import { adminCommand } from '../../command.ts';

export const explainRequest = adminCommand({
  docs: {
    brief: 'Show why a request was refused',
    about: 'Finds the request by the X-Request-Id of its response, for about a week.',
    examples: ['tenon requests why 019a3c5e-7b1c-7c3e-9d53-0d3f6c8a2b11'],
  },
  positional: {
    kind: 'tuple',
    parameters: [{ parse: String, placeholder: 'request', brief: 'The X-Request-Id of the response' }],
  },
  run: async ({ api, print }, _flags: object, id) => {
    const request = await api.get<RefusedRequest>(`/requests/${encodeURIComponent(id)}`);
    const { why, help } = whyRefused(request);
    const { leftOut, ...others } = request;
    print.one({ ...request, why, help }, { why, help, ...others, leftOut: leftOut === 0 ? null : leftOut });
  },
});
