import { mkdir } from 'node:fs/promises'
import { monotonic_ms } from './platform/clock.ts'
import { ConfigError, readServerConfig, listConfiguredSecrets, type Config } from './platform/config.ts'
import {
  getCredentialsFilePath,
  updateFirstCredentialsUrl,
  saveFirstCredentials,
} from './platform/local-files/first-credentials.ts'
import {
  readTerminalApiKey,
  saveTerminalApiKey,
  getTerminalApiKeyFilePath,
} from './platform/local-files/terminal-key-file.ts'
import { describeStartFailure } from './platform/explain-start-failure.ts'
import type { App } from './app.ts'
import { initialDatabaseContent } from './initial-content.ts'
import { createDatabaseOpener } from './platform/database/open-database.ts'
import { createLogger } from './platform/log.ts'
import { openTracing } from './platform/tracing/open-tracing.ts'

const max_end_after_failure_ms = 3_000

/** Creates and starts the application, and shuts it down in order on a signal. */
async function main(config: Config): Promise<void> {
  const app = await openApp(config)
  const url = await app.start().catch(async (error: unknown) => {
    await stopApp(app)
    throw error
  })
  // A worker listens on no port, and nothing else would keep the process alive while its database is away.
  const keepAliveTimer = setInterval(() => undefined, 60_000)
  const shutDown = (): void => {
    clearInterval(keepAliveTimer)
    void stopApp(app)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, shutDown)
  try {
    await printStartMessage(config, app, config.base_url ?? url)
  } catch (error) {
    clearInterval(keepAliveTimer)
    await stopApp(app)
    throw error
  }
  // The launcher then begins work that would have slowed the start.
  if (process.connected) process.send?.('ready')
}

/** The database opens in a worker thread while this thread loads the rest of the program: each takes a second. */
async function openApp(config: Config): Promise<App> {
  const log = createLogger({ level: config.log_level, secrets: listConfiguredSecrets(config) })
  await mkdir(config.data_dir, { recursive: true, mode: 0o700 })
  const openDatabase = await createDatabaseOpener(config, log, {
    ...initialDatabaseContent,
    announce: announceTemplate,
  })
  const pendingDatabase = openDatabase()
  // A rejection is handled by the await below; this prevents an unhandled rejection until then.
  pendingDatabase.catch(() => undefined)
  const [{ createApp }, { createMetrics }, tracing] = await Promise.all([
    import('./app.ts'),
    import('./platform/metrics.ts'),
    openTracing(config, log),
  ])
  const database = await pendingDatabase
  try {
    const app = await createApp({ config, log, database, tracing, metrics: createMetrics({ ofProcess: true }) })
    return { ...app, stop: () => app.stop().finally(() => tracing.close()) }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** The first start of an installation makes what every new data folder is a copy of. */
async function announceTemplate<T>(work: () => Promise<T>): Promise<T> {
  const begin_ms = monotonic_ms()
  process.stderr.write('Preparing the embedded database (once) …\n')
  const result = await work()
  process.stderr.write(`  done after ${((monotonic_ms() - begin_ms) / 1000).toFixed(1)} s\n`)
  return result
}

async function stopApp(app: App): Promise<void> {
  try {
    await app.stop()
  } catch (error) {
    app.log.error({ error }, 'the application did not shut down cleanly')
    process.exitCode = 1
  }
}

/** `npm start -- worker` and `npm start -- serve` set SWATH_ROLE. */
function parseRole(command: string | undefined): Record<string, string> {
  if (command === undefined) return {}
  const role = { serve: 'serve', worker: 'work' }[command]
  if (role === undefined) throw new ConfigError([`the command must be serve or worker, not "${command}"`])
  return { SWATH_ROLE: role }
}

const print = (text: string): boolean => process.stdout.write(`${text}\n`)

/** Prints the URL, at the first start the credentials, and commands to start with. A password that was configured is not printed. */
async function printStartMessage(config: Config, app: App, url: string): Promise<void> {
  const { firstAdministrator } = app
  await saveAddress(config, firstAdministrator, url)
  const startup_s = (monotonic_ms() / 1000).toFixed(1)
  if (config.role === 'work') {
    const ports = config.metrics_port > 0 ? `only on port ${config.metrics_port}, for monitoring` : 'on no port'
    print(`\nSwath works on background tasks after ${startup_s} s; it listens ${ports}.`)
    return
  }
  print(`\nSwath is ready at ${url} after ${startup_s} s. The docs: ${url}/docs`)
  const path = getCredentialsFilePath(config.data_dir)
  if (firstAdministrator) {
    const { email, password, generated } = firstAdministrator
    print(`\n  user      ${email}\n  password  ${generated ? password : 'the password that you set'}`)
    print(`\n(also in ${path}, which only you can read)`)
  } else print(`The first credentials are in ${path}, if they were not changed.`)
  print(describeTerminal(config, app.terminalKey, url))
}

/** Stores the URL of the server, once it listens, beside the credentials that the first start created. */
async function saveAddress(config: Config, first: App['firstAdministrator'], address: string): Promise<void> {
  const { data_dir } = config
  if (first) await saveFirstCredentials(data_dir, { address, username: first.email, password: first.password })
  else await updateFirstCredentialsUrl(data_dir, address)
  const stored = await readTerminalApiKey(data_dir)
  if (stored && stored.address !== address) await saveTerminalApiKey(data_dir, { ...stored, address })
}

/** Describes how to call the server from a terminal, with commands that work unchanged if it has a key for that. */
function describeTerminal(config: Config, state: App['terminalKey'], url: string): string {
  const path = getTerminalApiKeyFilePath(config.data_dir)
  if (state === 'active') return `\nThree requests to start with, in another terminal:\n${exampleCommands(config, url)}`
  return state === 'revoked'
    ? `The API key in ${path} was revoked or has expired. This makes a new one: npm run key`
    : 'For requests from a terminal, make an API key in the console, under Build.'
}

/** Shell commands, each complete in itself. Without demo imagery there is nothing to search yet. */
function exampleCommands({ data_dir, demo }: Config, url: string): string {
  const key = `-H "Authorization: Bearer $(head -n 1 ${quoteForShell(getTerminalApiKeyFilePath(data_dir))})"`
  const operation = (id: string, more = ''): string => `curl -sS --fail-with-body ${url}/v1/op/${id} ${key}${more}`
  const search = ` -H 'content-type: application/json' -d '{"host_name":"open","limit":2}'`
  return [
    operation('users.me'),
    demo ? operation('catalog.search', search) : operation('projects.list'),
    operation('billing.credits.balance'),
  ].join('\n')
}

/** A word of a shell command. */
const quoteForShell = (text: string): string => (/^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)

let config: Config | null = null
try {
  config = readServerConfig({ ...process.env, ...parseRole(process.argv[2]) })
  await main(config)
} catch (error) {
  const errorText = error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(`${describeStartFailure(error, config) ?? errorText}\n`)
  process.exitCode = 1
  // Something that the start has opened and not closed must not keep a process alive that serves nothing.
  setTimeout(() => process.exit(), max_end_after_failure_ms).unref()
}
