import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTestDatabase } from '../../../packages/server/test/database.ts'
import { freePort } from '../../../packages/server/test/free-port.mjs'
import { postgresSettings, startServer, type ServerProcess } from '../server-process.ts'

/** The database of the crashed server. */
export type DatabaseSetup = 'embedded' | 'postgres' | 'postgres, restarted too'

export interface CrashableServer {
  readonly url: string
  /** Number of crashes so far. */
  readonly crashCount: () => number
  /** Calls one of its `/proof` routes; throws `ServerDead` if there is no response. */
  call<Result>(name: string, input?: object): Promise<Result>
  /** Repeats the call until there is a response, restarting the server after each crash. */
  callUntilAnswered<Result>(name: string, input?: object): Promise<Result>
  /** Starts it again after a crash. */
  restart(): Promise<void>
  close(): Promise<void>
}

/** The server has killed itself. */
export class ServerDead extends Error {}

export const login = { username: 'admin@example.com', password: 'money crash password' }

/** The server starts hundreds of times and runs for seconds: optimizing compilation would not pay off. */
const shortLivedFlags = ['--liftoff-only', '--wasm-lazy-validation', '--single-threaded-gc']

const program = fileURLToPath(new URL('crashable-app.ts', import.meta.url))
const postgresScript = fileURLToPath(new URL('../../../.ci/postgres.sh', import.meta.url))

/** Crashes and restarts a PostgreSQL server; false if it was not started by .ci/postgres.sh. */
export function restartPostgres(server: string): boolean {
  return spawnSync(postgresScript, ['restart', server], { stdio: 'ignore' }).status === 0
}

/** A request during which the server may crash. */
export async function fetchFromCrashable(
  url: string,
  init: RequestInit,
): Promise<{ status: number; replayed: boolean; text: string }> {
  try {
    const response = await fetch(url, init)
    const replayed = response.headers.get('idempotency-replayed') === 'true'
    return { status: response.status, replayed, text: await response.text() }
  } catch (error) {
    throw new ServerDead('the server does not respond', { cause: error })
  }
}

/** Starts a crashable server in a new folder; `server` is the URL of PostgreSQL, if it is used. */
export async function openCrashableServer(
  databaseSetup: DatabaseSetup,
  server: string | null,
): Promise<CrashableServer> {
  const folder = await mkdtemp(join(tmpdir(), 'swath-money-'))
  const database = databaseSetup === 'embedded' ? null : await createTestDatabase(server!)
  const environment = {
    SWATH_DATA_DIR: folder,
    PORT: String(await freePort()),
    HOST: '127.0.0.1',
    SWATH_ADMIN_EMAIL: login.username,
    SWATH_ADMIN_PASSWORD: login.password,
    RATE_SIGN_INS: '0',
    DATABASE_URL: '',
    ...(database ? await postgresSettings(database.url) : {}),
  }
  let process: ServerProcess = await startServer(environment, program, shortLivedFlags)
  const { url } = process
  let crashes = 0
  const call = async <Result>(name: string, input: object = {}): Promise<Result> => {
    const { status, text } = await fetchFromCrashable(`${url}/proof/${name}`, {
      method: 'POST',
      body: JSON.stringify(input),
    })
    if (status !== 200) throw new Error(`${name} ${JSON.stringify(input)}: ${status} ${text}`)
    return JSON.parse(text) as Result
  }
  const restart = async (): Promise<void> => {
    await process.kill()
    crashes++
    if (databaseSetup === 'postgres, restarted too' && !restartPostgres(server!))
      throw new Error('PostgreSQL does not restart')
    process = await startServer(environment, program, shortLivedFlags)
  }
  return {
    url,
    crashCount: () => crashes,
    call,
    restart,
    callUntilAnswered: async <Result>(name: string, input?: object): Promise<Result> => {
      for (;;) {
        try {
          return await call<Result>(name, input)
        } catch (error) {
          if (!(error instanceof ServerDead)) throw error
          await restart()
        }
      }
    },
    close: async () => {
      await process.stop()
      await database?.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
