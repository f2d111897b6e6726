import { pino, stdSerializers, type DestinationStream, type Logger as PinoLogger } from 'pino'
import { createBoundedCache } from './bounded-cache.ts'
import { formatLogTimeMember } from './clock.ts'
import { token_prefixes } from './crypto/token-prefixes.ts'
import { createBufferedLogOutput } from './log-output.ts'

/** Writes JSON lines: `log.info({ operation, status, ms }, 'call')`. One wide line per call, not one per step. */
export type Logger = Pick<PinoLogger, 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'level'> & {
  child(fields: Readonly<Record<string, unknown>>): Logger
}

const redacted = '[hidden]'

/**
 * Names of fields, headers and query parameters whose values are never logged, regardless of case, dashes and underscores.
 */
const secret_names: ReadonlySet<string> = new Set([
  'accesstoken',
  'apikey',
  'authorization',
  'clientsecret',
  'code',
  'codeverifier',
  'cookie',
  'devicecode',
  'idtokenhint',
  'key',
  'newpassword',
  'password',
  'proxyauthorization',
  'refreshtoken',
  'secret',
  'setcookie',
  'sig',
  'signature',
  'signingsecret',
  'stripesignature',
  'token',
  'usercode',
  'webhooksignature',
  'xamzcredential',
  'xamzsecuritytoken',
  'xamzsignature',
  'xapikey',
])

/** Field names repeat from line to line, so the result for each is cached. */
const secretNameCache = createBoundedCache<string, boolean>({ max_entries: 10_000 })

function isSecretName(name: string): boolean {
  const known = secretNameCache.get(name)
  if (known !== undefined) return known
  const secret = secret_names.has(name.toLowerCase().replaceAll(/[-_]/g, ''))
  secretNameCache.set(name, secret)
  return secret
}

/** Maximum depth and width to which a field is logged; the rest is omitted. */
const max_depth = 6
const max_entries = 100
const max_name_length = 256

/** The maximum length of a text in a line: input of clients must not determine how long a line takes to write. */
const max_text_length = 4096

/** Longer than any secret: a secret across the cut is found before the text is cut. */
const redaction_margin = 1024

type TruncateText = (text: string) => string

/** Truncates a text. Secrets are redacted first, so that no part of one is left at the end. */
const createTruncate =
  (secrets: readonly string[]): TruncateText =>
  (text) =>
    text.length <= max_text_length
      ? text
      : `${redactText(text.slice(0, max_text_length + redaction_margin), secrets).slice(0, max_text_length)}[longer]`

/** Most fields are flat, short and contain no secret: they are written as they are, without a copy. */
function isSafeAsIs(value: object): boolean {
  let count = 0
  for (const name in value) {
    const entry = (value as Record<string, unknown>)[name]
    if (typeof entry === 'object' ? entry !== null : typeof entry === 'string' && entry.length > max_text_length)
      return false
    if (typeof entry === 'bigint') return false
    if (isSecretName(name) || ++count > max_entries) return false
  }
  return true
}

/** True for fields that are written as they are: no list, object, error, secret or long text. */
const isFlatRecord = (fields: unknown): fields is Record<string, unknown> =>
  typeof fields === 'object' &&
  fields !== null &&
  !Array.isArray(fields) &&
  !(fields instanceof Error) &&
  isSafeAsIs(fields)

function redactValue(value: unknown, depth: number, truncate: TruncateText): unknown {
  if (typeof value === 'string') return truncate(value)
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Error || value instanceof Date || typeof (value as { toJSON?: unknown }).toJSON === 'function') {
    return value
  }
  if (depth >= max_depth) return '[deeper]'
  if (Array.isArray(value)) return value.slice(0, max_entries).map((entry) => redactValue(entry, depth + 1, truncate))
  if (isSafeAsIs(value)) return value
  const entries = Object.entries(value).slice(0, max_entries)
  return Object.fromEntries(
    entries.map(([name, entry]) => [
      name.slice(0, max_name_length),
      isSecretName(name) && entry !== null ? redacted : redactValue(entry, depth + 1, truncate),
    ]),
  )
}

/** The URL without the values of secret query parameters and without credentials. */
export function redactUrl(url: string): string {
  const withoutCredentials = url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, `$1${redacted}@`)
  return withoutCredentials.replaceAll(/([?&])([^=&#\s?]+)=([^&#\s"\\]*)/g, (match, mark: string, name: string) =>
    isSecretName(decodeName(name)) ? `${mark}${name}=${redacted}` : match,
  )
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** The prefixes of our tokens, as alternatives of a pattern. */
const issued_prefixes = Object.values(token_prefixes).join('|')

/** Matches lines that may contain something to redact: most do not and are tested only once. */
const suspect_pattern = new RegExp(
  String.raw`${issued_prefixes}|eyJ|k_test_|k_live_|_secret_|[Bb][Ee][Aa][Rr][Ee][Rr]|[Bb][Aa][Ss][Ii][Cc]|:\/\/|\?`,
)

/** Secrets that are recognized by their format: our tokens, bearer tokens, JWTs, keys and client secrets of Stripe. */
const secret_patterns: readonly RegExp[] = [
  // Base64, which other tokens are not: they end at the slash of a path.
  new RegExp(String.raw`${token_prefixes.signing_secret}[\w+/=%-]{8,}`, 'g'),
  new RegExp(String.raw`(?:${issued_prefixes})[0-9A-Za-z][\w-]{9,}`, 'g'),
  /\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi,
  // Starts at a word boundary and looks for the dots before `eyJ`: otherwise every `eyJ` would scan for them again.
  /(?<![\w-])(?=[\w-]{11,}\.[\w-]{8,}\.[\w-])[\w-]*?eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]+/g,
  // Not at the boundary of a word, which a percent-encoded character before them hides.
  /[sr]k_(?:test|live)_\w{8,}/g,
  /(?:pi|seti)_[0-9A-Za-z]{1,64}_secret_\w{8,}/g,
]

/** A text with every known secret, and everything that looks like one, redacted. */
export function redactText(text: string, secrets: readonly string[] = []): string {
  const withoutPatterns = suspect_pattern.test(text) ? redactPatterns(text) : text
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, redacted), withoutPatterns)
}

function redactPatterns(text: string): string {
  const withoutPatterns = secret_patterns.reduce((rest, shape) => rest.replaceAll(shape, redacted), text)
  // The text before a query is not part of the match: a pattern that starts there would be tried at every slash.
  return withoutPatterns.replaceAll(/[a-z][a-z0-9+.-]{1,15}:\/\/[^\s"\\]+|\?[^\s"\\]+/gi, redactUrl)
}

export interface LogOptions {
  readonly level: string
  /** Values that must never appear in a line: the secrets of the configuration. */
  readonly secrets?: readonly string[]
  /** Standard output if omitted. */
  readonly destination?: DestinationStream
}

/** Opens the log of a process: JSON lines with `time` in RFC 3339, secrets redacted by name, by pattern and by value. */
export function createLogger({ level, secrets = [], destination }: LogOptions): Logger {
  const known = secrets.filter((secret) => secret.length >= 6).map((secret) => JSON.stringify(secret).slice(1, -1))
  const truncate = createTruncate(secrets.filter((secret) => secret.length >= 6))
  const redact = (fields: object): Record<string, unknown> =>
    redactValue(fields, 0, truncate) as Record<string, unknown>
  const output = destination ?? createBufferedLogOutput(1)
  const root = pino(
    {
      level,
      base: null,
      timestamp: formatLogTimeMember,
      formatters: {
        level: (label) => ({ level: label }),
        log: redact,
      },
      // An error passes the formatter unchanged and becomes a plain object here.
      serializers: { err: (error: Error) => redact({ ...stdSerializers.err(error) }) },
      hooks: {
        streamWrite: (line) => redactText(line, known),
        logMethod(args, method) {
          const truncatedArgs = args.map((part: unknown) => (typeof part === 'string' ? truncate(part) : part))
          method.apply(this, truncatedArgs as typeof args)
        },
      },
    },
    output,
  )
  // The log line of a call is almost always flat: writing it directly costs a third of what the formatters cost.
  const writeInfo = root.info
  const writeFlatRecord = function (this: PinoLogger, ...logArguments: unknown[]): void {
    const [fields, message] = logArguments
    if (this === root && logArguments.length === 2 && isFlatRecord(fields) && typeof message === 'string') {
      const members = JSON.stringify({ ...fields, msg: truncate(message) }).slice(1)
      output.write(redactText(`{"level":"info"${formatLogTimeMember()},${members}\n`, known))
    } else writeInfo.apply(this, logArguments as Parameters<typeof writeInfo>)
  }
  // A child logger of pino skips the formatters, and inherits these methods.
  const child = root.child
  return Object.assign(root, root.isLevelEnabled('info') ? { info: writeFlatRecord } : {}, {
    child(this: PinoLogger, fields: Readonly<Record<string, unknown>>): Logger {
      return child.call(this, redact(fields)) as Logger
    },
  }) as Logger
}
