const NEWLINE = 0x0a;

export const countLines = async (file: Blob): Promise<number> => {
  const reader = file.stream().getReader();
  let lines = 1;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    for (const byte of part.value) if (byte === NEWLINE) lines += 1;
  }
  return lines;
};

/**
 * The part of a file that is done, as a progress bar has it: what was sent waits in buffers. Nothing until it is known.
 */
export const partDone = (lines: number | null, progress: { readonly nextLine: number | null } | null) => {
  if (lines === null || progress === null) return {};
  return { max: lines, value: progress.nextLine === null ? lines : progress.nextLine - 1 };
};
