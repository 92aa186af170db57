import type { KeyScope } from '../../domain/ports/idempotency/idempotency-repository.ts';
import type { Ports } from '../../domain/ports/index.ts';
import type { KeyLife } from '../../domain/ports/idempotency/key-log.ts';
import { notFound, ok } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';

export const getKeyLife =
  ({ keyLog }: Pick<Ports, 'keyLog'>) =>
  async (scope: KeyScope): Promise<Result<KeyLife, 'not_found'>> => {
    const life = await keyLog.get(scope);
    return life ? ok(life) : notFound('Idempotency key');
  };
