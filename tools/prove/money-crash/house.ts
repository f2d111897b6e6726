import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTestDatabase } from '../../../packages/server/test/database.ts'
import { freePort } from '../../../packages/server/test/free-port.mjs'
import { postgresSettings, startServer, type ServerProcess } from '../server-process.ts'

/** The database of the crashed server. */
export type Place = 'embedded' | 'postgres' | 'postgres, restarted too'

export interface MortalHouse {
  readonly url: string
  /** Number of crashes so far. */
  readonly deaths: () => number
  /** Calls one of its `/proof` routes; throws `ServerDead` if there is no response. */
  ask<Answer>(name: string, asked?: object): Promise<Answer>
  /** Repeats the call until there is a response, restarting the server after each crash. */
  insist<Answer>(name: string, asked?: object): Promise<Answer>
  /** Starts it again after a crash. */
  revive(): Promise<void>
  close(): Promise<void>
}

/** The server has killed itself. */
export class Dead extends Error {}

export const login = { username: 'admin@example.com', password: 'money crash password' }

/** The server starts hundreds of times and runs for seconds: optimizing compilation would not pay off. */
const shortLived = ['--liftoff-only', '--wasm-lazy-validation', '--single-threaded-gc']

const program = fileURLToPath(new URL('killable-house.ts', import.meta.url))
const postgresScript = fileURLToPath(new URL('../../../.ci/postgres.sh', import.meta.url))

/** Crashes and restarts a PostgreSQL server; false if it was not started by .ci/postgres.sh. */
export function restartPostgres(server: string): boolean {
  return spawnSync(postgresScript, ['restart', server], { stdio: 'ignore' }).status === 0
}

/** A request during which the server may crash. */
export async function reach(
  url: string,
  init: RequestInit,
): Promise<{ status: number; replayed: boolean; text: string }> {
  try {
    const response = await fetch(url, init)
    const replayed = response.headers.get('idempotency-replayed') === 'true'
    return { status: response.status, replayed, text: await response.text() }
  } catch (error) {
    throw new Dead('the server does not respond', { cause: error })
  }
}

/** Starts a crashable server in a new folder; `server` is the URL of PostgreSQL, if it is used. */
export async function openMortalHouse(place: Place, server: string | null): Promise<MortalHouse> {
  const folder = await mkdtemp(join(tmpdir(), 'swath-money-'))
  const database = place === 'embedded' ? null : await createTestDatabase(server!)
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
  let process: ServerProcess = await startServer(environment, program, shortLived)
  const { url } = process
  let deaths = 0
  const ask = async <Answer>(name: string, asked: object = {}): Promise<Answer> => {
    const { status, text } = await reach(`${url}/proof/${name}`, { method: 'POST', body: JSON.stringify(asked) })
    if (status !== 200) throw new Error(`${name} ${JSON.stringify(asked)}: ${status} ${text}`)
    return JSON.parse(text) as Answer
  }
  const revive = async (): Promise<void> => {
    await process.kill()
    deaths++
    if (place === 'postgres, restarted too' && !restartPostgres(server!)) throw new Error('PostgreSQL does not restart')
    process = await startServer(environment, program, shortLived)
  }
  return {
    url,
    deaths: () => deaths,
    ask,
    revive,
    insist: async <Answer>(name: string, asked?: object): Promise<Answer> => {
      for (;;) {
        try {
          return await ask<Answer>(name, asked)
        } catch (error) {
          if (!(error instanceof Dead)) throw error
          await revive()
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
