import { DatabaseFailure } from '../packages/server/src/platform/database/failures.ts'

/** Runs a command of the operator's: its answer is the exit code, and a database that cannot be used one sentence. */
export async function runCommand(main: (words: readonly string[]) => Promise<number>): Promise<void> {
  try {
    process.exitCode = await main(process.argv.slice(2))
  } catch (error) {
    if (!(error instanceof DatabaseFailure)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}
