import { buildRouteMap } from '@stricli/core';

import { localCommand } from '../command.ts';
import type { CliContext } from '../context.ts';
import { createPrinter } from '../output/printer.ts';

/**
 * Every shell asks the command itself, with the words so far: `tenon complete deliveries list --st`. Where there is no such command, as in
 * a clone, the script makes one. `--no` keeps npx from installing another package of this name in other folders. A comma of a list needs no
 * backslash in bash, and with one the next completion of the list would not know its beginning.
 */
const SCRIPTS = {
  bash: `command -v tenon >/dev/null || tenon() { npx --no tenon "$@"; }
_tenon() {
  local word
  COMPREPLY=()
  while IFS=$'\\t' read -r word _; do word=$(printf %q "$word"); COMPREPLY+=("\${word//\\\\,/,}"); done < <(tenon complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _tenon tenon
`,
  zsh: `#compdef tenon
command -v tenon >/dev/null || tenon() { npx --no tenon "$@"; }
_tenon() {
  local -a found
  local name brief
  while IFS=$'\\t' read -r name brief; do found+=("\${name//:/\\\\:}:$brief"); done < <(tenon complete "\${(@)words[2,$CURRENT]}" 2>/dev/null)
  if (( \${#found} )); then _describe tenon found; else _files; fi
}
compdef _tenon tenon
`,
  fish: `if not type -q tenon
    function tenon
        npx --no tenon $argv
    end
end
function __tenon_complete
    set -l words (commandline -opc) (commandline -ct)
    tenon complete $words[2..-1] 2>/dev/null
end
complete -c tenon -a '(__tenon_complete)'
`,
} as const;

const WHERE: Readonly<Record<keyof typeof SCRIPTS, string>> = {
  bash: 'eval "$(tenon completion bash)"',
  zsh: 'eval "$(tenon completion zsh)"',
  fish: 'tenon completion fish > ~/.config/fish/completions/tenon.fish',
};

const scriptFor = (shell: keyof typeof SCRIPTS) =>
  localCommand({
    docs: {
      brief: `Print the completion script for ${shell}`,
      about: `${shell === 'fish' ? 'Run this line once.' : `Add this line to your ~/.${shell}rc.`} In a clone, see docs/command-line.md.`,
      examples: [WHERE[shell]],
    },
    load: () =>
      Promise.resolve(({ process }: CliContext) => {
        createPrinter(process, {}).raw(SCRIPTS[shell]);
        return Promise.resolve();
      }),
  });

export const completionCommands = buildRouteMap({
  routes: { bash: scriptFor('bash'), zsh: scriptFor('zsh'), fish: scriptFor('fish') },
  docs: { brief: 'Shell completion' },
});
