import { Command } from 'commander'
import { comfortSummaries } from './comfort-summaries.ts'
import type { CommandContext } from '../context.ts'
import type { BuildProgram } from './register-command.ts'
import { usageFailure } from '../failures.ts'
import { describeAreas } from '../operations/area-commands.ts'
import { findOperationByWords, readOperationTable, toCommandWords } from '../operations/operation-table.ts'

/** Each asks this program for the words that may follow. */
const scripts: Readonly<Record<string, string>> = {
  bash: `_swath() {
  local IFS=$'\\n'
  COMPREPLY=( $(swath completion words "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null) )
  [ \${#COMPREPLY[@]} -gt 0 ] || compopt -o default
}
complete -F _swath swath
`,
  zsh: `#compdef swath
_swath() {
  local -a found
  found=("\${(@f)$(swath completion words "\${(@)words[2,$CURRENT]}" 2>/dev/null)}")
  [[ -n "\${found[1]}" ]] && compadd -a found || _files
}
compdef _swath swath
`,
  fish: `function __swath_words
  set -l tokens (commandline -opc) (commandline -ct)
  swath completion words $tokens[2..-1] 2>/dev/null
end
complete -c swath -f -a '(__swath_words)'
`,
}

/** `swath completion <shell>`: a script that completes commands, operations and flags. */
export function registerCompletion(command: Command, context: CommandContext, buildProgram: BuildProgram): void {
  command
    .argument('<shell>', `${Object.keys(scripts).join(', ')}`)
    .argument('[words...]')
    .allowUnknownOption()
    .passThroughOptions()
    .addHelpText(
      'after',
      '\nExamples:\n  $ swath completion bash >> ~/.bashrc\n  $ swath completion zsh > ~/.zfunc/_swath\n  $ swath completion fish > ~/.config/fish/completions/swath.fish',
    ) // prettier-ignore
    .action(async (shell: string, words: string[]) => {
      if (shell === 'words') {
        const found = await completeWords(words, (names) => buildProgram(names, context))
        return void context.stdout.write(found.map((word) => `${word}\n`).join(''))
      }
      const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined
      if (script === undefined) throw usageFailure(`There is no completion for "${shell}", only for ${Object.keys(scripts).join(', ')}.`) // prettier-ignore
      context.stdout.write(script)
    })
}

/** The words that may stand for the last of these, which is begun. */
async function completeWords(words: readonly string[], buildFor: BuildFor): Promise<string[]> {
  const begun = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  const candidates = [...listCandidates(before, begun), ...(await listOptions(before, begun, buildFor))]
  return [...new Set(candidates)].filter((candidate) => candidate.startsWith(begun)).toSorted()
}

type BuildFor = (words: readonly string[]) => Promise<Command>

/** Commands and flags of what these words name, as its help has them. */
async function listOptions(before: readonly string[], begun: string, buildFor: BuildFor): Promise<readonly string[]> {
  const names = before.filter((word) => !word.startsWith('-'))
  if (names.length === 0) return []
  const words = names[0] === 'help' ? names.slice(1) : names
  if (words.length === 0) return Object.keys(comfortSummaries)
  let command: Command = await buildFor(words)
  for (const word of words) {
    const next = command.commands.find((child) => child.name() === word)
    if (!next) break
    command = next
  }
  if (command.parent === null) return []
  return begun.startsWith('-')
    ? command.options.flatMap(({ long }) => long ?? [])
    : command.commands.map((child) => child.name())
}

function listCandidates(before: readonly string[], begun: string): string[] {
  const table = readOperationTable()
  if (before.length === 0) return [...new Set([...Object.keys(comfortSummaries), ...describeAreas(table).map(({ name }) => name)])] // prettier-ignore
  const words = before.filter((word) => !word.startsWith('-'))
  const entry = findOperationByWords(table, words)
  if (entry && begun.startsWith('-')) return []
  if (words.length === 1 && ['api', 'ops'].includes(words[0]!)) return [...table.ids]
  const prefix = `${words.join(' ')} `
  const paths = table.ids.map((id) => toCommandWords(id).join(' ')).filter((path) => path.startsWith(prefix))
  return [...new Set(paths.map((path) => path.slice(prefix.length).split(' ')[0]!))]
}
