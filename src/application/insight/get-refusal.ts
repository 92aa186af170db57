import type { Ports } from '../../domain/ports/index.ts';
import type { LoggedRefusal } from '../../domain/ports/request-log.ts';
import { notFound, ok } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';

/** A refused request, by the id that X-Request-Id gave it. */
export const getRefusal =
  ({ requestLog }: Pick<Ports, 'requestLog'>) =>
  async (id: string): Promise<Result<LoggedRefusal, 'not_found'>> => {
    const refusal = await requestLog.get(id);
    return refusal ? ok(refusal) : notFound('Refused request');
  };
