import { describe, expect, it } from 'vitest';

import {
  beginBefore,
  expiryOf,
  firstPlaceAt,
  placeAt,
  placeIn,
  UNKNOWN_PLACE,
  type FeedState,
} from '../../../src/domain/webhooks/feed-place.ts';

const A = { id: 'a', began: 0 };
const feed = (head: number, epochs: FeedState['epochs'], tail = 0): FeedState => ({
  head,
  tail,
  epochs,
  firstCursors: Infinity,
});
const old = firstPlaceAt;

describe('a place', () => {
  it('is of the epoch in which its event was placed, and has the one before', () => {
    const epochs = [A, { id: 'b', began: 5 }];
    expect(placeAt(5, epochs)).toEqual({ position: 5, epoch: 'a', began: 0, previous: null });
    expect(placeAt(6, epochs)).toEqual({ position: 6, epoch: 'b', began: 5, previous: 'a' });
    expect(placeAt(0, epochs)).toEqual({ position: 0, epoch: null, began: 0, previous: null });
  });
});

describe('a reader', () => {
  const place = placeAt(9, [A]);

  it.each<[string, FeedState]>([
    ['in the same epoch', feed(9, [A])],
    ['after a start that lost nothing', feed(12, [A, { id: 'b', began: 9 }])],
    ['after a start before which more was placed', feed(12, [A, { id: 'b', began: 11 }])],
    ['at the oldest event that is kept', feed(12, [A], 9)],
  ])('continues %s', (_name, state) => {
    expect(expiryOf(place, state)).toBeNull();
  });

  it.each<[string, FeedState, number]>([
    ['where nothing was placed since', feed(7, [A]), 7],
    ['where the same position was given again', feed(9, [A, { id: 'b', began: 7 }]), 7],
    ['where far more was placed since', feed(90, [A, { id: 'b', began: 7 }, { id: 'c', began: 80 }]), 7],
    ['where the first epoch was lost', feed(90, [{ id: 'b', began: 0 }]), 0],
  ])('learns that its history was lost, %s', (_name, state, right) => {
    expect(expiryOf(place, state)).toEqual({ reason: 'history_changed', oldest: placeAt(right, state.epochs) });
  });

  it.each<[string, FeedState, number]>([
    ['the fork', feed(90, [A, { id: 'c', began: 7 }]), 7],
    ['the beginning of its epoch, where the old server continued', feed(90, [A, { id: 'c', began: 50 }]), 8],
  ])('whose whole epoch was lost is right up to %s', (_name, state, right) => {
    const lost = placeAt(20, [A, { id: 'b', began: 8 }]);
    expect(expiryOf(lost, state)).toEqual({ reason: 'history_changed', oldest: placeAt(right, state.epochs) });
  });

  it('misses events where the oldest that are kept are behind the place up to which it is right', () => {
    const state = feed(90, [A, { id: 'b', began: 7 }], 8);
    expect(expiryOf(place, state)).toEqual({ reason: 'not_kept', oldest: placeAt(8, state.epochs) });
    expect(expiryOf(place, feed(90, [A], 10))).toMatchObject({ reason: 'not_kept', oldest: { position: 10 } });
  });

  it('of whom nothing is known begins with the oldest event that is kept', () => {
    expect(expiryOf(UNKNOWN_PLACE, feed(9, [A]))).toMatchObject({ reason: 'key_unknown', oldest: { position: 0 } });
    expect(expiryOf(UNKNOWN_PLACE, feed(9, [A], 4))).toMatchObject({ reason: 'key_unknown', oldest: { position: 4 } });
  });

  it('with a place from before the epochs is right up to the second one', () => {
    expect(expiryOf(old(9), feed(9, [A]))).toBeNull();
    expect(expiryOf(old(9), feed(20, []))).toBeNull();
    expect(expiryOf(old(9), feed(8, [A]))).toMatchObject({ reason: 'history_changed', oldest: { position: 8 } });
    expect(expiryOf(old(9), feed(20, [A, { id: 'b', began: 9 }]))).toBeNull();
    expect(expiryOf(old(9), feed(20, [A, { id: 'b', began: 7 }]))).toMatchObject({ oldest: { position: 7 } });
    expect(expiryOf(old(9), feed(20, [{ id: 'b', began: 7 }]))).toMatchObject({ oldest: { position: 7 } });
  });
});

it('a place of the second version does not depend on how many of the first were given out', () => {
  expect(expiryOf(placeAt(9, []), { ...feed(20, []), firstCursors: 5 })).toBeNull();
});

describe('a place of the first version', () => {
  it('is right up to the last one that was given out, so that a forged one tells nothing of the present head', () => {
    const answers = (head: number) =>
      [4, 5, 6, head, head + 1, 10 ** 9].map((position) =>
        expiryOf(firstPlaceAt(position), { ...feed(head, [A]), firstCursors: 5 }),
      );
    const lost = { reason: 'history_changed', oldest: placeAt(5, [A]) };
    expect(answers(20)).toEqual([null, null, lost, lost, lost, lost]);
    expect(answers(900)).toEqual(answers(20));
  });
  it('is never right in a store that has given out none', () => {
    expect(expiryOf(firstPlaceAt(1), { ...feed(9, [A]), firstCursors: 0 })).toMatchObject({ oldest: { position: 0 } });
  });
  it('is given out, and read as it is, beside processes that know no other', () => {
    const state = { ...feed(9, [A]), firstCursors: null };
    expect(placeIn(9, state)).toEqual(firstPlaceAt(9));
    expect(expiryOf(firstPlaceAt(9), state)).toBeNull();
    expect(expiryOf(firstPlaceAt(10), state)).toEqual({ reason: 'history_changed', oldest: firstPlaceAt(9) });
    expect(placeIn(9, { ...state, firstCursors: 0 })).toEqual(placeAt(9, [A]));
  });
});

describe('a walk back from the newest event', () => {
  it('begins at the newest, or at its place', () => {
    expect(beginBefore(null, feed(9, [A]))).toBe(Infinity);
    expect(beginBefore(placeAt(4, [A]), feed(9, [A]))).toBe(4);
    expect(beginBefore(placeAt(10, [A]), feed(9, [A]))).toBe(10);
  });
  it('leaves out what was placed after its place was lost', () => {
    expect(beginBefore(placeAt(9, [A]), feed(20, [A, { id: 'b', began: 5 }]))).toBe(6);
  });
  it('begins again where nothing is known of its place', () => {
    expect(beginBefore(UNKNOWN_PLACE, feed(9, [A]))).toBe(Infinity);
  });
});
