import { expect, it } from 'vitest';

import { eventTypeFiles } from '../../.ci/event-types.ts';
import { DECLARED_EVENTS } from '../../src/domain/events/event-types.ts';
import { textOf } from './source.ts';

it.each(Object.entries(eventTypeFiles()))('%s lists the declared event types; `npm run openapi` writes it', (path, text) => {
  expect(textOf(path) === text, `${path} is out of date: run \`npm run openapi\` and commit what it writes`).toBe(true);
});

it.each(Object.keys(DECLARED_EVENTS))('CHANGELOG.md says since when there is %s', (type) => {
  expect(textOf('CHANGELOG.md')).toContain(`\`${type}\``);
});
