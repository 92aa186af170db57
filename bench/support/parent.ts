/**
 * Answers each message of the parent from a process of the bench. An exception ends the process,
 * and so fails the case.
 */
export const answerParent = (answer: (message: never) => Promise<object>): void => {
  // A request to end runs the exit handlers, as at the end of a program.
  process.once('SIGTERM', () => process.exit());
  // Without its parent nobody asks any more.
  process.on('disconnect', () => process.exit());
  process.on('message', (message) => {
    void answer(message as never).then((value) => process.send?.(value));
  });
};
