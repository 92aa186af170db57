import type { Installation } from '../../../http/answers.ts';
import type { Cell } from '../../output/table.ts';

export const shownApp = (app: Installation): Readonly<Record<string, Cell>> => ({ ...app, scopes: app.scopes.join(' ') });
