import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

import { root } from './source.ts';

/** Commits up to this one are older than the rule (docs/style.md, rule 8). */
const BEFORE_THE_RULE = '742fee56fb00daeb20ba45d44e1ada75e2674eb2';

const SUBJECT = /^(?:build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test)(?:\([\w./-]+\))?!?: (\S+)/;
const NOT_A_VERB =
  /^(?:an?|all|any|at|both|by|each|every|for|from|how|if|in|it|its|more|no|nobody|nothing|of|on|one|only|that|the|their|these|they|this|those|to|two|what|when|where|who|with)$/i;
/** Forms of a verb that are not imperative, and most plural nouns. */
const ENDING = /(?:[^s]s|(?<!ne|se|fe|spe|exce|proce|emb)ed|(?<!br|str)ing)$/i;
const VERBS_THAT_END_ALIKE = /^(?:alias|focus)$/i;

const faultOf = (subject: string): string | null => {
  const [, first] = SUBJECT.exec(subject) ?? [];
  if (first === undefined) return 'is not a Conventional Commit';
  if (NOT_A_VERB.test(first) || (ENDING.test(first) && !VERBS_THAT_END_ALIKE.test(first)))
    return 'does not begin with an imperative';
  return subject.length > 72 ? `has ${String(subject.length)} characters` : null;
};

/** Empty in a clone without the history. */
const subjects = (): string[] => {
  const { status, stdout } = spawnSync('git', ['log', '--no-merges', '--format=%s', `${BEFORE_THE_RULE}..HEAD`], {
    cwd: root,
    encoding: 'utf8',
  });
  return status === 0 ? stdout.split('\n').filter((subject) => subject !== '') : [];
};

it.each([
  ['refactor(webhooks): keep the rows of the queue in one file', null],
  ['feat!: need a token', null],
  ['fix(http): address a proxy by its name', null],
  ['Keep the rows', 'is not a Conventional Commit'],
  ['fix(token): an address may send the requests of a minute', 'does not begin with an imperative'],
  ['fix(keys): keeps the key', 'does not begin with an imperative'],
  ['fix(keys): added a key', 'does not begin with an imperative'],
  [`fix(keys): keep ${'x'.repeat(60)}`, 'has 76 characters'],
])('judges the subject "%s"', (subject, fault) => {
  expect(faultOf(subject)).toBe(fault);
});

it('every subject of a commit is imperative, and has at most 72 characters', () => {
  expect(subjects().flatMap((subject) => (faultOf(subject) === null ? [] : [`${subject}: ${faultOf(subject) ?? ''}`]))).toEqual(
    [],
  );
});
