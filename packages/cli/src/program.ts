import { Command } from 'commander'
import { comfortCommands } from './commands/comfort-commands.ts'
import { comfortSummaries, isComfortName, type ComfortName } from './commands/comfort-summaries.ts'
import type { CommandContext } from './context.ts'
import { exitCodeMeanings, exitCodes, type FailureKind } from './failures.ts'
import { addAreaCommands, describeAreas } from './operations/area-commands.ts'
import { createStyle } from './output/colours.ts'
import { version } from './version.ts'

/**
 * The program for these words: only the command that they name is read and built; all others are names, for the help and
 * for suggestions.
 */
export async function buildProgram(words: readonly string[], context: CommandContext): Promise<Command> {
  const program = createRoot(context)
  const [first] = words
  const area = describeAreas().find(({ name }) => name === first)
  const comfort = isComfortName(first) ? first : null
  if (area) {
    const command = program.command(area.name).description(area.description)
    addAreaCommands(command, words, context)
    if (comfort) await addComfort(command, comfort, context)
  } else if (comfort) {
    await addComfort(program.command(comfort), comfort, context)
  } else addNames(program)
  return program
}

/** All commands by their names, for the help and for suggestions. */
function addNames(program: Command): void {
  program.commandsGroup('Commands:')
  for (const [name, summary] of Object.entries(comfortSummaries)) program.command(name).description(summary)
  program.commandsGroup('Every operation of the platform, by area:')
  for (const { name, description } of describeAreas())
    if (!isComfortName(name)) program.command(name).description(description)
}

async function addComfort(command: Command, name: ComfortName, context: CommandContext): Promise<void> {
  if (command.description() === '' || name === 'sandbox') command.description(comfortSummaries[name])
  const register = await comfortCommands[name]()
  register(command, context, buildProgram)
}

function createRoot(context: CommandContext): Command {
  const style = createStyle(context.env, context.stdout)
  const program = new Command('swath')
  program
    .description('The command line of Swath: search, price, buy, download and process satellite imagery.')
    .version(version, '-V, --version')
    .helpCommand('help [command]', 'explain a command')
    .exitOverride()
    .enablePositionalOptions()
    .showSuggestionAfterError(true)
    .configureOutput({
      writeOut: (text) => void context.stdout.write(text),
      writeErr: (text) => void context.stderr.write(text.replace(/^error: (.)/, (_match, letter: string) => letter.toUpperCase())), // prettier-ignore
    })
    .configureHelp({
      showGlobalOptions: false,
      helpWidth: context.stdout.columns || 110,
      styleTitle: (text) => style('bold', text),
    })
    .addHelpText('after', `\n${exitCodesHelp()}\n\nDocumentation of an operation: swath <area> <command> --help. Raw calls: swath api <id> '{"json": "input"}'.`) // prettier-ignore
  return program
}

/** The exit codes as lines of the help. */
export const exitCodesHelp = (): string =>
  [
    'Exit codes:',
    '  0  done',
    ...Object.entries(exitCodeMeanings).map(([kind, text]) => `  ${exitCodes[kind as FailureKind]}  ${text}`),
  ].join('\n')
