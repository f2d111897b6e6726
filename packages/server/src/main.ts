import { mkdir } from 'node:fs/promises'
import { monotonic_ms } from './platform/clock.ts'
import { ConfigFault, readServerConfig, secretsOf, type Config } from './platform/config.ts'
import { credentialsFile, keepAddress, keepFirstCredentials } from './platform/first-credentials.ts'
import { startRefusal } from './platform/start-refusal.ts'
import type { House } from './house.ts'
import { initialContent } from './initial-content.ts'
import { prepareDatabase } from './platform/database/open-database.ts'
import { openLog } from './platform/log.ts'

/** Creates and starts the application, and shuts it down in order on a signal. */
async function main(config: Config): Promise<void> {
  const house = await build(config)
  const address = await house.start().catch(async (error: unknown) => {
    await stop(house)
    throw error
  })
  // A worker listens on no port, and nothing else would keep the process alive while its database is away.
  const alive = setInterval(() => undefined, 60_000)
  const end = (): void => {
    clearInterval(alive)
    void stop(house)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end)
  await greet(config, house, config.base_url ?? address)
}

/** The database opens in a worker thread while this thread loads the rest of the program: each takes a second. */
async function build(config: Config): Promise<House> {
  const log = openLog({ level: config.log_level, secrets: secretsOf(config) })
  await mkdir(config.data_dir, { recursive: true, mode: 0o700 })
  const open = await prepareDatabase(config, log, initialContent)
  const opening = open()
  // A rejection is handled by the await below; this prevents an unhandled rejection until then.
  opening.catch(() => undefined)
  const { buildHouse } = await import('./house.ts')
  const database = await opening
  try {
    return await buildHouse({ config, log, database })
  } catch (error) {
    await database.close()
    throw error
  }
}

async function stop(house: House): Promise<void> {
  try {
    await house.stop()
  } catch (error) {
    house.log.error({ error }, 'the application did not shut down cleanly')
    process.exitCode = 1
  }
}

/** `npm start -- worker` and `npm start -- serve` set SWATH_ROLE. */
function roleOf(command: string | undefined): Record<string, string> {
  if (command === undefined) return {}
  const role = { serve: 'serve', worker: 'work' }[command]
  if (role === undefined) throw new ConfigFault([`the command must be serve or worker, not "${command}"`])
  return { SWATH_ROLE: role }
}

const say = (text: string): boolean => process.stdout.write(`${text}\n`)

/** Prints the URL and, at the first start, the credentials. A password that was configured is not printed. */
async function greet(config: Config, house: House, address: string): Promise<void> {
  const { first } = house
  const path = credentialsFile(config.data_dir)
  if (first) {
    await keepFirstCredentials(config.data_dir, { address, username: first.email, password: first.password })
  }
  const took_s = (monotonic_ms() / 1000).toFixed(1)
  if (config.role === 'work') {
    say(`\nSwath works on background tasks after ${took_s} s; it listens on no port.`)
    return
  }
  say(`\nSwath is ready at ${address} after ${took_s} s. The docs: ${address}/docs`)
  if (!first) {
    await keepAddress(config.data_dir, address)
    say(`The first credentials are in ${path}, if they were not changed.`)
    return
  }
  const { email, password, generated } = first
  say(`\n  user      ${email}\n  password  ${generated ? password : 'the password that you set'}`)
  say(`\n(also in ${path}, which only you can read)`)
  const quoted = generated ? `'password=${password}'` : '"password=$SWATH_ADMIN_PASSWORD"'
  say(`\nThree requests to start with:\n${examples(address, email, quoted, config.demo)}`)
}

/** Shell commands. Without demo imagery there is nothing to search yet. */
function examples(address: string, email: string, quotedPassword: string, demo: boolean): string {
  const operation = (id: string, more = ''): string =>
    `curl -s ${address}/v1/op/${id} -H "Authorization: Bearer $TOKEN"${more}`
  const search = ` -H 'content-type: application/json' -d '{"host_name":"open","limit":2}'`
  return [
    `TOKEN=$(curl -s ${address}/realms/public/protocol/openid-connect/token -d grant_type=password --data-urlencode 'username=${email}' --data-urlencode ${quotedPassword} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    demo ? operation('catalog.search', search) : operation('users.me'),
    operation('billing.credits.balance'),
  ].join('\n')
}

let config: Config | null = null
try {
  config = readServerConfig({ ...process.env, ...roleOf(process.argv[2]) })
  await main(config)
} catch (error) {
  const fault = error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(`${startRefusal(error, config) ?? fault}\n`)
  process.exitCode = 1
}
