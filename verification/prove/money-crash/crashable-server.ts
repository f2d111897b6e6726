import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { killableSettings, KillableServer, ServerDead, shortLivedFlags } from '../harness/killable-server.ts'
import { createDatabase, createFolder } from '../harness/resources.ts'

/** The database of the crashed server. */
export type DatabaseSetup = 'embedded' | 'postgres' | 'postgres, restarted too'

const program = fileURLToPath(new URL('crashable-app.ts', import.meta.url))
const postgresScript = fileURLToPath(new URL('../../../.ci/postgres.sh', import.meta.url))

/** Crashes and restarts a PostgreSQL server; false if it was not started by .ci/postgres.sh. */
export function restartPostgres(server: string): boolean {
  return spawnSync(postgresScript, ['restart', server], { stdio: 'ignore' }).status === 0
}

/** A server that kills itself at statements of a call or task. */
export class CrashableServer extends KillableServer {
  /** That is restarted with it; null for none. */
  postgres: string | null = null
  crashes = 0

  /** Starts it again after a crash. */
  override async restart(): Promise<void> {
    await this.kill()
    this.crashes++
    if (this.postgres !== null && !restartPostgres(this.postgres)) throw new Error('PostgreSQL does not restart')
    await this.start()
  }

  /** Repeats the call until there is a response, restarting the server after each crash. */
  async askUntilAnswered<Result>(name: string, input?: object): Promise<Result> {
    for (;;) {
      try {
        return await this.ask<Result>(name, input)
      } catch (error) {
        if (!(error instanceof ServerDead)) throw error
        await this.restart()
      }
    }
  }
}

/** Runs work with a crashable server in a new folder; `postgres` is the URL of PostgreSQL, if it is used. */
export async function withCrashableServer(
  databaseSetup: DatabaseSetup,
  postgres: string | null,
  work: (server: CrashableServer) => Promise<void>,
): Promise<void> {
  await using folder = await createFolder('money')
  await using database = databaseSetup === 'embedded' ? null : await createDatabase(postgres!)
  const settings = { ...(await killableSettings(folder.path, database?.url ?? null)), RATE_SIGN_INS: '0' }
  await using server = new CrashableServer(settings, program, shortLivedFlags)
  if (databaseSetup === 'postgres, restarted too') server.postgres = postgres
  await server.start()
  await work(server)
  await server.stop()
}
