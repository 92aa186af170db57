import type { OwnFigures } from '../../prometheus/gauges.ts';
import { outageErrors } from '../../node/logger.ts';
import { TOKENS, type Token } from './tokens.ts';

export const ownFigures = (resolve: <T>(token: Token<T>) => T) => (): OwnFigures => ({
  outageErrors: outageErrors(resolve(TOKENS.log)),
  oldestRequestSeconds: resolve(TOKENS.inFlight).oldestSeconds(),
  liveReaders: resolve(TOKENS.liveReaders).count(),
  slowLiveReaders: resolve(TOKENS.liveReaders).slow(),
  names: resolve(TOKENS.nameFigures)(),
  ...resolve(TOKENS.storage).figures(),
});
