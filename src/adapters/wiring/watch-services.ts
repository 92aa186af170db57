import { repeat } from '../node/background.ts';
import { observing } from './node-observations.ts';
import type { Container } from './ports/container.ts';
import { TOKENS } from './ports/tokens.ts';
import type { Config } from './settings/config.ts';

/** The generation is read once a second for other reasons. */
const DATABASE_SECONDS = 1;
const REDIS_SECONDS = 5;

/** Notes when the database and Redis do not answer, until the function that it returns is called. */
export const watchServices = (
  container: Container,
  { REDIS_URL }: Pick<Config, 'REDIS_URL'>,
  onError: (error: unknown) => void,
): (() => Promise<void>) => {
  const observations = container.resolve(TOKENS.observations);
  const { look } = container.resolve(TOKENS.generation);
  const { clock, deliveryQueue } = container.resolve(TOKENS.ports);
  const database = observing(observations, 'database', () => look().then(() => true), clock);
  const redis = observing(observations, 'redis', () => deliveryQueue.reachable(), clock);
  const stops = [
    repeat(DATABASE_SECONDS, database, onError),
    ...(REDIS_URL === undefined ? [] : [repeat(REDIS_SECONDS, redis, onError)]),
  ];
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
};
