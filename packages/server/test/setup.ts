import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, type Client } from '@swath/client/client.ts'
import { tokenSource } from '@swath/client/tokens.ts'
import { buildHouse, type Background, type House } from '../src/house.ts'
import type { Clock } from '../src/platform/clock.ts'
import { readConfig, type Config } from '../src/platform/config.ts'
import { openLog } from '../src/platform/log.ts'
import type { ImageryHost } from '../src/platform/outside/imagery-host.ts'
import { cheapCrypto } from './cheap-crypto.ts'
import { openTestDatabase } from './database.ts'

export interface TestHouse extends House {
  readonly url: string
  /** The administrator of the first organization. */
  readonly admin: Client
  /** A client for somebody else. */
  signedIn(username: string, password: string): Client
  close(): Promise<void>
}

/** A time ahead by the clock of the house. */
export const inHours = ({ clock }: Pick<House, 'clock'>, hours: number): string =>
  new Date(clock.now().getTime() + hours * 3_600_000).toISOString()

export interface TestHouseOptions {
  readonly hosts?: readonly ImageryHost[]
  readonly clock?: Clock
  readonly background?: Background
  readonly environment?: Readonly<Record<string, string>>
}

export const administrator = { username: 'admin@example.com', password: 'correct horse battery' }

/** Work that failed is tried again at once, as often as its kind says. */
export const hurried: Background = {
  poll_s: 0.1,
  retry: (declared) => ({ ...declared, delay_s: 0, backoff: false }),
}

/** Boots a whole house on a free port, with its own database and folder. One for each test file. */
export async function bootHouse(options: TestHouseOptions = {}): Promise<TestHouse> {
  const folder = await mkdtemp(join(tmpdir(), 'swath-house-'))
  const config = readConfig({
    SWATH_DATA_DIR: folder,
    PORT: '0',
    SWATH_ADMIN_EMAIL: administrator.username,
    SWATH_ADMIN_PASSWORD: administrator.password,
    LOG_LEVEL: process.env['TEST_LOG'] ?? 'fatal',
    // Many journeys share an organization, and none of them is about its limits.
    RATE_LIMIT_CALLS: '0',
    RATE_LIMIT_ORDERS: '0',
    RATE_LIMIT_SPENDING: '0',
    ...options.environment,
  })
  const { house, url } = await openHouse(config, options)
  const signedIn = (username: string, password: string): Client =>
    createClient({ base: url, token: tokenSource(url, { username, password }) })
  return {
    ...house,
    url,
    signedIn,
    admin: signedIn(administrator.username, administrator.password),
    close: async () => {
      await house.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** A house that cannot be built leaves no database open, which would keep the test running for ever. */
async function openHouse(config: Config, options: TestHouseOptions): Promise<{ house: House; url: string }> {
  const database = await openTestDatabase()
  try {
    const { hosts, clock, background } = options
    const house = await buildHouse({
      config,
      database,
      log: openLog({ level: config.log_level }),
      ...cheapCrypto(),
      ...(hosts ? { hosts } : {}),
      ...(clock ? { clock } : {}),
      ...(background ? { background } : {}),
    })
    return { house, url: await house.start() }
  } catch (error) {
    await database.close()
    throw error
  }
}
