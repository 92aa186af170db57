/** What a process of the bench's own answers to each message of its parent. What it throws ends it, and so fails the case. */
export const answerParent = (answer: (message: never) => Promise<object>): void => {
  // Told to end it ends as a program does, with what is to be done at its end.
  process.once('SIGTERM', () => process.exit());
  // Without its parent nobody asks any more.
  process.on('disconnect', () => process.exit());
  process.on('message', (message) => {
    void answer(message as never).then((value) => process.send?.(value));
  });
};
