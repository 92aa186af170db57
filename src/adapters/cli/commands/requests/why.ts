import type { RefusedRequest } from '../../../http/schemas/answers.ts';
import { adminCommand } from '../../command.ts';
import type { Session } from '../../command.ts';

export const explainRequest = adminCommand({
  docs: {
    brief: 'Say why a request was refused',
    about: 'Finds it by the X-Request-Id of its response, for about a week.',
    examples: ['tenon requests why 019a3c5e-7b1c-7c3e-9d53-0d3f6c8a2b11'],
  },
  positional: {
    kind: 'tuple',
    parameters: [{ parse: String, placeholder: 'request', brief: 'The X-Request-Id of its response' }],
  },
  run: async ({ api, print }: Session, _flags: object, id: string) => {
    const request = await api.get<RefusedRequest>(`/requests/${encodeURIComponent(id)}`);
    print.one(request, { ...request, leftOut: request.leftOut === 0 ? null : request.leftOut });
  },
});
