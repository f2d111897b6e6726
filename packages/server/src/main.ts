import { mkdir } from 'node:fs/promises'
import { monotonic_ms } from './platform/clock.ts'
import { ConfigError, readServerConfig, listSecrets, type Config } from './platform/config.ts'
import { credentialsFile, updateFirstCredentialsUrl, saveFirstCredentials } from './platform/first-credentials.ts'
import { explainStartFailure } from './platform/explain-start-failure.ts'
import type { App } from './app.ts'
import { initialDatabaseContent } from './initial-content.ts'
import { prepareDatabase } from './platform/database/open-database.ts'
import { createLogger } from './platform/log.ts'
import { openTracing } from './platform/tracing/open-tracing.ts'

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
  await printStartMessage(config, app, config.base_url ?? url)
}

/** The database opens in a worker thread while this thread loads the rest of the program: each takes a second. */
async function openApp(config: Config): Promise<App> {
  const log = createLogger({ level: config.log_level, secrets: listSecrets(config) })
  await mkdir(config.data_dir, { recursive: true, mode: 0o700 })
  const openDatabase = await prepareDatabase(config, log, initialDatabaseContent)
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

/** Prints the URL and, at the first start, the credentials. A password that was configured is not printed. */
async function printStartMessage(config: Config, app: App, url: string): Promise<void> {
  const { firstAdministrator } = app
  const path = credentialsFile(config.data_dir)
  if (firstAdministrator) {
    await saveFirstCredentials(config.data_dir, {
      address: url,
      username: firstAdministrator.email,
      password: firstAdministrator.password,
    })
  }
  const startup_s = (monotonic_ms() / 1000).toFixed(1)
  if (config.role === 'work') {
    const ports = config.metrics_port > 0 ? `only on port ${config.metrics_port}, for monitoring` : 'on no port'
    print(`\nSwath works on background tasks after ${startup_s} s; it listens ${ports}.`)
    return
  }
  print(`\nSwath is ready at ${url} after ${startup_s} s. The docs: ${url}/docs`)
  if (!firstAdministrator) {
    await updateFirstCredentialsUrl(config.data_dir, url)
    print(`The first credentials are in ${path}, if they were not changed.`)
    return
  }
  const { email, password, generated } = firstAdministrator
  print(`\n  user      ${email}\n  password  ${generated ? password : 'the password that you set'}`)
  print(`\n(also in ${path}, which only you can read)`)
  const quotedPassword = generated ? `'password=${password}'` : '"password=$SWATH_ADMIN_PASSWORD"'
  print(`\nThree requests to start with:\n${exampleCommands(url, email, quotedPassword, config.demo)}`)
}

/** Shell commands. Without demo imagery there is nothing to search yet. */
function exampleCommands(url: string, email: string, quotedPassword: string, demo: boolean): string {
  const operation = (id: string, more = ''): string =>
    `curl -s ${url}/v1/op/${id} -H "Authorization: Bearer $TOKEN"${more}`
  const search = ` -H 'content-type: application/json' -d '{"host_name":"open","limit":2}'`
  return [
    `TOKEN=$(curl -s ${url}/realms/public/protocol/openid-connect/token -d grant_type=password --data-urlencode 'username=${email}' --data-urlencode ${quotedPassword} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    demo ? operation('catalog.search', search) : operation('users.me'),
    operation('billing.credits.balance'),
  ].join('\n')
}

let config: Config | null = null
try {
  config = readServerConfig({ ...process.env, ...parseRole(process.argv[2]) })
  await main(config)
} catch (error) {
  const errorText = error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(`${explainStartFailure(error, config) ?? errorText}\n`)
  process.exitCode = 1
}
