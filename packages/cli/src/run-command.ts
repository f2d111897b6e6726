import { CommanderError } from 'commander'
import type { CommandContext } from './context.ts'
import { createStyle } from './output/colours.ts'
import { classifyFailure, exitCodes } from './failures.ts'
import { buildProgram } from './program.ts'

/** Runs a command line and returns its exit code; a failure is one sentence on the standard error. */
export async function runCommand(args: readonly string[], context: CommandContext): Promise<number> {
  try {
    const words = toCurrentWords(args)
    const program = await buildProgram(words, context)
    await program.parseAsync(words, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage
    const message = describeError(error)
    const style = createStyle(context.env, context.stderr)
    context.stderr.write(`${style('red', message.replace(/^[\w]*Error: /, ''))}\n`)
    return exitCodes[classifyFailure(error)]
  }
}

/** One sentence. A question that was left with Ctrl+C or Ctrl+D is an answer, too. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.name === 'ExitPromptError' ? 'Nothing was done.' : error.message
}

/**
 * The forms that `npm run op` has always had: an id with its JSON is `api`, no words are the help; and `help X` is
 * `X --help`.
 */
function toCurrentWords(args: readonly string[]): string[] {
  const [first, ...rest] = args
  if (first === undefined) return ['--help']
  if (first === 'help') return [...rest, '--help']
  return /^[a-z_]+(\.[a-z_]+)+$/.test(first) ? ['api', ...args] : [...args]
}
