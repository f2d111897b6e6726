import { DatabaseFailure } from '../packages/server/src/platform/database/failures.ts'

/** Runs an operator command: sets its exit code and prints a database failure as one message without a stack. */
export async function runCommand(main: (args: readonly string[]) => Promise<number>): Promise<void> {
  try {
    process.exitCode = await main(process.argv.slice(2))
  } catch (error) {
    if (!(error instanceof DatabaseFailure)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}
