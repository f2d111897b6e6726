import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigFault, readConfig, type Config } from './platform/config.ts'
import { monotonic_ms } from './platform/clock.ts'
import { buildHouse, type House } from './house.ts'

/** Reads the configuration, opens the house, listens, and closes everything in order on a signal. */
async function main(): Promise<void> {
  const config = readConfig()
  const house = await buildHouse({ config })
  const address = await house.start().catch(async (error: unknown) => {
    await stop(house)
    throw error
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop(house))
  await greet(config, house, config.base_url ?? address)
}

async function stop(house: House): Promise<void> {
  try {
    await house.stop()
  } catch (error) {
    house.log.error({ error }, 'the house did not close cleanly')
    process.exitCode = 1
  }
}

const say = (text: string): boolean => process.stdout.write(`${text}\n`)

/** Tells a person where the house is and, the first time, how to get in. */
async function greet(config: Config, house: House, address: string): Promise<void> {
  const { first } = house
  const path = join(config.data_dir, 'first-credentials.json')
  if (first) await keepPrivate(path, { address, username: first.email, password: first.password })
  const took_s = (monotonic_ms() / 1000).toFixed(1)
  say(`\nSwath is ready at ${address} after ${took_s} s. The docs: ${address}/docs`)
  if (first) {
    say(`\n  user      ${first.email}\n  password  ${first.password}\n\n(also in ${path}, which only you can read)`)
    say(`\nThree calls to begin with:\n${examples(address, first.email, first.password)}`)
  } else say(`The first credentials are in ${path}, if they were not changed.`)
}

async function keepPrivate(path: string, content: object): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true })
  await writeFile(path, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
  await chmod(path, 0o600)
}

const examples = (address: string, email: string, password: string): string =>
  [
    `TOKEN=$(curl -s ${address}/realms/public/protocol/openid-connect/token -d grant_type=password -d username='${email}' -d password='${password}' | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    `curl -s ${address}/v1/op/catalog.search -H "Authorization: Bearer $TOKEN" -H 'content-type: application/json' -d '{"host_name":"open","limit":2}'`,
    `curl -s ${address}/v1/op/billing.credits.balance -H "Authorization: Bearer $TOKEN"`,
  ].join('\n')

try {
  await main()
} catch (error) {
  process.stderr.write(
    `${error instanceof ConfigFault ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  )
  process.exitCode = 1
}
