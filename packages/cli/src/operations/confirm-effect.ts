import { canAsk, type CommandContext } from '../context.ts'
import { CommandFailure, usageFailure } from '../failures.ts'
import type { OperationEntry } from './operation-table.ts'

/** Asks a question with yes or no on the terminal. */
export async function askYesNo(context: CommandContext, message: string): Promise<boolean> {
  const { default: confirm } = await import('@inquirer/confirm')
  return confirm({ message, default: false }, { input: context.stdin, output: context.stderr })
}

/**
 * Asks before a command does what cannot be undone, or has its `--yes`. Throws if nobody can be asked, or the answer is no.
 *
 * @param question what will happen, such as "Buy 2 scenes for 1200 credits?"
 */
export async function requireConsent(context: CommandContext, isGiven: boolean, question: string): Promise<void> {
  if (isGiven) return
  if (!canAsk(context)) throw usageFailure(`${question} Repeat the command with --yes; nothing was done.`)
  if (!(await askYesNo(context, question))) throw new CommandFailure('failure', 'Nothing was done.')
}

/** The question before an operation; null if it needs none. */
export function describeEffect(
  { id, effect }: OperationEntry,
  input: Readonly<Record<string, unknown>>,
): string | null {
  if (effect === 'destructive') return `${id} deletes or ends something for good. Do it?`
  if (effect !== 'spend' || input['dry_run'] === true) return null
  const limit = input['max_credits']
  return `${id} may spend credits, ${typeof limit === 'number' ? `${limit} at most` : 'without a limit (--max-credits)'}. Do it?`
}
