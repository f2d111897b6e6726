import { isLoopback } from './loopback.ts'
import { settings, type Settings } from './settings.ts'
import type { SettingParser, SettingDefinition } from './setting-types.ts'

type SettingValues = {
  readonly [Name in keyof Settings]: Settings[Name] extends SettingDefinition<infer Value> ? Value : never
}

/** Every setting, parsed. The names are those of the table in `settings.ts`. */
export type Config = Omit<SettingValues, 'demo'> & { readonly demo: boolean }

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>

/** The configuration is invalid; the message lists every error, one per line. */
export class ConfigError extends Error {
  readonly errors: readonly string[]
  constructor(errors: readonly string[]) {
    super(`The configuration is invalid:\n${errors.map((message) => `- ${message}`).join('\n')}`)
    this.errors = errors
  }
}

/** Conflicts between settings: `[is it violated?, message]`. */
function findConflicts(config: Partial<Config>): readonly string[] {
  const { aws_access_key_id, aws_secret_access_key, storage } = config
  const endpoint = config.aws_endpoint_s3 ?? config.aws_endpoint
  const checks: readonly (readonly [boolean, string])[] = [
    [
      Boolean(aws_access_key_id) !== Boolean(aws_secret_access_key),
      'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set together',
    ],
    [
      Boolean(storage && !endpoint && !config.aws_region),
      'STORAGE_URL requires AWS_REGION, or AWS_ENDPOINT_URL for another S3-compatible store',
    ],
    [
      Boolean(config.database_migration_url && !config.database_url),
      'DATABASE_MIGRATION_URL is valid only together with DATABASE_URL',
    ],
    [
      Boolean(config.database_replica_url && !config.database_url),
      'DATABASE_REPLICA_URL is valid only together with DATABASE_URL',
    ],
    [Boolean(config.storage_public_url && !storage), 'STORAGE_PUBLIC_URL is valid only together with STORAGE_URL'],
    [
      Boolean((config.stripe_webhook_secret || config.stripe_api_url) && !config.stripe_secret_key),
      'STRIPE_WEBHOOK_SECRET and STRIPE_API_URL are valid only together with STRIPE_SECRET_KEY',
    ],
    [
      Boolean(config.hsts_max_age_s && !config.base_url?.startsWith('https:')),
      'HSTS_MAX_AGE_S is valid only with an https URL as BASE_URL',
    ],
  ]
  return checks.filter(([isViolated]) => isViolated).map(([, message]) => message)
}

/**
 * Reads the whole configuration from an environment. Throws a `ConfigError` that names every invalid setting, never its
 * value. An empty value counts as unset.
 */
export function readConfig(environment: EnvironmentVariables = process.env): Config {
  const errors: string[] = []
  const config: Record<string, unknown> = {}
  for (const [name, setting] of Object.entries(settings)) {
    const rawValue = environment[setting.name]?.trim()
    try {
      const kind: SettingParser<unknown> = setting.kind
      config[name] = kind.parse(rawValue || setting.fallback)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      errors.push(`${setting.name} ${error.message}`)
    }
  }
  errors.push(...findConflicts(config as Partial<Config>))
  if (errors.length > 0) throw new ConfigError(errors)
  const values = config as SettingValues
  return { ...values, demo: values.demo ?? !isSharedServer(values) }
}

type NetworkSettings = Pick<Config, 'base_url' | 'host' | 'database_url'>

/** True if other machines can reach the server. */
const isPublic = ({ base_url, host }: NetworkSettings): boolean =>
  !isLoopback(host) || (base_url !== null && !isLoopback(new URL(base_url).hostname))

/** True if clients reach the server under another name than this machine's, so that a proxy may be in front of it. */
export const isBehindProxy = ({ base_url, trust_proxy }: Pick<Config, 'base_url' | 'trust_proxy'>): boolean =>
  trust_proxy !== false || (base_url !== null && !isLoopback(new URL(base_url).hostname))

/** True if the server is more than a local trial of one user: it has a database server, or other machines reach it. */
export const isSharedServer = (networkSettings: NetworkSettings): boolean =>
  networkSettings.database_url !== null || isPublic(networkSettings)

/** Errors in the configuration of a server, which a tool that only opens the database does not check. */
function findStartErrors(config: Config): readonly string[] {
  const { stripe_secret_key: key, play_money, base_url, database_url, trust_proxy, role } = config
  const checks: readonly (readonly [boolean, string])[] = [
    [
      isSharedServer(config) && key === null && !play_money,
      'STRIPE_SECRET_KEY is required with DATABASE_URL and where BASE_URL or HOST is not a loopback address; SWATH_PLAY_MONEY=on starts with payments that move no real money',
    ],
    [
      isPublic(config) && key !== null && !/^[sr]k_live_/.test(key) && !play_money,
      'STRIPE_SECRET_KEY is not a live key, and BASE_URL or HOST is not a loopback address; SWATH_PLAY_MONEY=on starts with payments that move no real money',
    ],
    [
      base_url === null && (database_url !== null || trust_proxy !== false),
      'BASE_URL is required with DATABASE_URL and with TRUST_PROXY: it is the URL under which clients reach the server',
    ],
    [
      role !== 'all' && database_url === null,
      'SWATH_ROLE must be all without DATABASE_URL: the embedded database belongs to one process',
    ],
  ]
  return checks.filter(([isViolated]) => isViolated).map(([, message]) => message)
}

/**
 * Reads the configuration of a server or worker process; throws a `ConfigError` also for settings that are unsafe to start
 * with.
 */
export function readServerConfig(environment: EnvironmentVariables = process.env): Config {
  const config = readConfig(environment)
  const errors = findStartErrors(config)
  if (errors.length > 0) throw new ConfigError(errors)
  return config
}

/** All secrets that are set, so that the log can redact them; of a URL also its password. */
export function listConfiguredSecrets(config: Config): readonly string[] {
  const values = Object.entries(settings).map(([name, setting]) => setting.secret && config[name as keyof Config])
  return values.flatMap((value) => {
    if (typeof value !== 'string') return []
    const password = URL.canParse(value) ? new URL(value).password : ''
    return password ? [value, password, decodeURIComponent(password)] : [value]
  })
}
