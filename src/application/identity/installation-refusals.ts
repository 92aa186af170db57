import { refuse } from '../../domain/result.ts';
import type { Refusal } from '../../domain/result.ts';

export const noInstallation = (): Refusal<'not_found'> => refuse('not_found', 'there is no such installation');
export const isUninstalled = (): Refusal<'conflict'> => refuse('conflict', 'the app is uninstalled, which is final');
