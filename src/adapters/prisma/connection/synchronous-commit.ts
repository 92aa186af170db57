/** True when a commit with this `synchronous_commit` waits for the standbys that the server names. */
export const waitsForStandby = (synchronousCommit: string): boolean =>
  synchronousCommit !== 'off' && synchronousCommit !== 'local';
