import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTestDatabase } from '../../../packages/server/test/database.ts'
import { freePort } from '../../../packages/server/test/free-port.mjs'
import { postgresSettings, startServer, type ServerProcess } from '../server-process.ts'

/** Where the killed house keeps its money. */
export type Place = 'embedded' | 'postgres' | 'postgres, restarted too'

export interface MortalHouse {
  readonly url: string
  /** How often it was found dead. */
  readonly deaths: () => number
  /** Asks one of its proof doors; throws `Dead` where nobody answers. */
  ask<Answer>(name: string, asked?: object): Promise<Answer>
  /** Asks again until the answer comes, however often the house dies over it. */
  insist<Answer>(name: string, asked?: object): Promise<Answer>
  /** Starts it again after its death. */
  revive(): Promise<void>
  close(): Promise<void>
}

/** The house has killed itself. */
export class Dead extends Error {}

export const login = { username: 'admin@example.com', password: 'money crash password' }

/** It starts hundreds of times and lives for seconds: what is compiled to run quickly later is never repaid. */
const shortLived = ['--liftoff-only', '--wasm-lazy-validation', '--single-threaded-gc']

const program = fileURLToPath(new URL('killable-house.ts', import.meta.url))
const postgresScript = fileURLToPath(new URL('../../../.ci/postgres.sh', import.meta.url))

/** Ends a server as a crash would and starts it again; false where it is none of ours to end. */
export function restartPostgres(server: string): boolean {
  return spawnSync(postgresScript, ['restart', server], { stdio: 'ignore' }).status === 0
}

/** A request to a house that may die over it. */
export async function reach(
  url: string,
  init: RequestInit,
): Promise<{ status: number; replayed: boolean; text: string }> {
  try {
    const response = await fetch(url, init)
    const replayed = response.headers.get('idempotency-replayed') === 'true'
    return { status: response.status, replayed, text: await response.text() }
  } catch (error) {
    throw new Dead('the house is dead', { cause: error })
  }
}

/** Starts a killable house in a folder of its own; `server` is the address of PostgreSQL where the place is there. */
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
