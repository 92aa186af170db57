import { createPatternMatcher as createMemoryMatcher } from '../memory/pattern-matcher.ts';
import { createPatternMatcher } from '../../src/adapters/node/pattern-matcher.ts';
import { patternMatcherContract } from './pattern-matcher.contract.ts';

patternMatcherContract('memory', createMemoryMatcher, { linear: false });
patternMatcherContract('node', createPatternMatcher, { linear: true });
