/** What a process of the bench's own answers to each message of its parent. What it throws ends it, and so fails the case. */
export const answerParent = (answer: (message: never) => Promise<object>): void => {
  // Without its parent nobody asks any more.
  process.on('disconnect', () => process.exit());
  process.on('message', (message) => {
    void answer(message as never).then((value) => process.send?.(value));
  });
};
