import { settings, type Settings } from './settings.ts'
import type { Kind, Setting } from './setting-kinds.ts'

/** Every setting, read. The names are those of the table in `settings.ts`. */
export type Config = {
  readonly [Name in keyof Settings]: Settings[Name] extends Setting<infer Value> ? Value : never
}

export type Environment = Readonly<Record<string, string | undefined>>

/** The configuration cannot be used; the message lists every fault, one a line. */
export class ConfigFault extends Error {
  readonly faults: readonly string[]
  constructor(faults: readonly string[]) {
    super(`The configuration cannot be used:\n${faults.map((fault) => `- ${fault}`).join('\n')}`)
    this.faults = faults
  }
}

/** What no single setting can tell: `[broken?, sentence]`. */
function contradictions(config: Partial<Config>): readonly string[] {
  const { aws_access_key_id, aws_secret_access_key, storage } = config
  const endpoint = config.aws_endpoint_s3 ?? config.aws_endpoint
  const rows: readonly (readonly [boolean, string])[] = [
    [
      Boolean(aws_access_key_id) !== Boolean(aws_secret_access_key),
      'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY belong together: give both or neither',
    ],
    [
      Boolean(storage && !endpoint && !config.aws_region),
      'STORAGE_URL needs AWS_REGION, or AWS_ENDPOINT_URL for a store of another maker',
    ],
    [Boolean(config.storage_public_url && !storage), 'STORAGE_PUBLIC_URL has a meaning only together with STORAGE_URL'],
    [
      Boolean((config.stripe_webhook_secret || config.stripe_api_url) && !config.stripe_secret_key),
      'STRIPE_WEBHOOK_SECRET and STRIPE_API_URL have a meaning only together with STRIPE_SECRET_KEY',
    ],
  ]
  return rows.filter(([broken]) => broken).map(([, sentence]) => sentence)
}

/**
 * Reads the whole configuration from an environment. Throws a `ConfigFault` that names every setting that cannot be
 * read, never its value. An empty text counts as unset.
 */
export function readConfig(environment: Environment = process.env): Config {
  const faults: string[] = []
  const config: Record<string, unknown> = {}
  for (const [name, setting] of Object.entries(settings)) {
    const given = environment[setting.name]?.trim()
    try {
      const kind: Kind<unknown> = setting.kind
      config[name] = kind.read(given || setting.fallback)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      faults.push(`${setting.name} ${error.message}`)
    }
  }
  faults.push(...contradictions(config as Partial<Config>))
  if (faults.length > 0) throw new ConfigFault(faults)
  return config as Config
}

/** The texts of all secrets that are set, so that the log can take them out; of an address its password too. */
export function secretsOf(config: Config): readonly string[] {
  const values = Object.entries(settings).map(([name, setting]) => setting.secret && config[name as keyof Config])
  return values.flatMap((value) => {
    if (typeof value !== 'string') return []
    const password = URL.canParse(value) ? new URL(value).password : ''
    return password ? [value, password, decodeURIComponent(password)] : [value]
  })
}
