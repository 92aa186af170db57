import { refuse, type Refusal } from '../../domain/result.ts';

export const domainTaken = (domain: string): Refusal<'conflict'> =>
  refuse('conflict', `The domain ${domain} belongs to another store.`);
