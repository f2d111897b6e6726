import { pino, stdSerializers, type DestinationStream, type Logger as PinoLogger } from 'pino'
import { timeMember } from './clock.ts'
import { chunkedOutput } from './log-output.ts'

/** Writes JSON lines: `log.info({ operation, status, ms }, 'call')`. One wide line per call, not one per step. */
export type Logger = Pick<PinoLogger, 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'level'> & {
  child(facts: Readonly<Record<string, unknown>>): Logger
}

const hidden = '[hidden]'

/**
 * Names of fields, headers and query parameters whose values are never logged, regardless of case, dashes and underscores.
 */
const secretNames: ReadonlySet<string> = new Set([
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
const judged = new Map<string, boolean>()
const mostJudged = 10_000

function isSecretName(name: string): boolean {
  const known = judged.get(name)
  if (known !== undefined) return known
  const secret = secretNames.has(name.toLowerCase().replaceAll(/[-_]/g, ''))
  if (judged.size < mostJudged) judged.set(name, secret)
  return secret
}

/** How deep and how wide a field is followed; the rest is omitted. */
const deepest = 6
const widest = 100
const longest_name = 256

/** The maximum length of a text in a line: input of clients must not determine how long a line takes to write. */
const longest_text = 4096

/** Longer than any secret: a secret across the cut is found before the text is cut. */
const beyond_text = 1024

type Cut = (text: string) => string

/** Truncates a text. Secrets are redacted first, so that no part of one is left at the end. */
const cutting =
  (secrets: readonly string[]): Cut =>
  (text) =>
    text.length <= longest_text
      ? text
      : `${redactText(text.slice(0, longest_text + beyond_text), secrets).slice(0, longest_text)}[longer]`

/** Most fields are flat, short and contain no secret: they are written as they are, without a copy. */
function isHarmless(value: object): boolean {
  let count = 0
  for (const name in value) {
    const entry = (value as Record<string, unknown>)[name]
    if (typeof entry === 'object' ? entry !== null : typeof entry === 'string' && entry.length > longest_text)
      return false
    if (typeof entry === 'bigint') return false
    if (isSecretName(name) || ++count > widest) return false
  }
  return true
}

/** True for fields that are written as they are: no list, object, error, secret or long text. */
const isFlat = (facts: unknown): facts is Record<string, unknown> =>
  typeof facts === 'object' && facts !== null && !Array.isArray(facts) && !(facts instanceof Error) && isHarmless(facts)

function hideIn(value: unknown, depth: number, cut: Cut): unknown {
  if (typeof value === 'string') return cut(value)
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Error || value instanceof Date || typeof (value as { toJSON?: unknown }).toJSON === 'function') {
    return value
  }
  if (depth >= deepest) return '[deeper]'
  if (Array.isArray(value)) return value.slice(0, widest).map((entry) => hideIn(entry, depth + 1, cut))
  if (isHarmless(value)) return value
  const entries = Object.entries(value).slice(0, widest)
  return Object.fromEntries(
    entries.map(([name, entry]) => [
      name.slice(0, longest_name),
      isSecretName(name) && entry !== null ? hidden : hideIn(entry, depth + 1, cut),
    ]),
  )
}

/** The URL without the values of secret query parameters and without credentials. */
export function redactUrl(address: string): string {
  const bare = address.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, `$1${hidden}@`)
  return bare.replaceAll(/([?&])([^=&#\s?]+)=([^&#\s"\\]*)/g, (whole, mark: string, name: string) =>
    isSecretName(decodeName(name)) ? `${mark}${name}=${hidden}` : whole,
  )
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** Whether a line can contain anything to redact: most lines do not and are tested only once. */
const anySuspect =
  /swath(?:tile|share|visit)?_|eyJ|whsec_|k_test_|k_live_|[Bb][Ee][Aa][Rr][Ee][Rr]|[Bb][Aa][Ss][Ii][Cc]|:\/\/|\?/

/** Secrets that are recognized by their format: API keys, bearer tokens, tile tokens, JWTs, webhook secrets, Stripe keys. */
const secretShapes: readonly RegExp[] = [
  /swath(?:tile|share|visit)?_[0-9A-Za-z][\w-]{9,}/g,
  /\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi,
  // Starts at a word boundary and looks for the dots before `eyJ`: otherwise every `eyJ` would scan for them again.
  /(?<![\w-])(?=[\w-]{11,}\.[\w-]{8,}\.[\w-])[\w-]*?eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]+/g,
  /\bwhsec_[\w+/=-]{8,}/g,
  /\b[sr]k_(test|live)_\w{8,}/g,
]

/** A text with every known secret, and everything that looks like one, redacted. */
export function redactText(text: string, secrets: readonly string[] = []): string {
  const plain = anySuspect.test(text) ? redactShapes(text) : text
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, hidden), plain)
}

function redactShapes(text: string): string {
  const shaped = secretShapes.reduce((rest, shape) => rest.replaceAll(shape, hidden), text)
  // The text before a query is not part of the match: a pattern that starts there would be tried at every slash.
  return shaped.replaceAll(/[a-z][a-z0-9+.-]{1,15}:\/\/[^\s"\\]+|\?[^\s"\\]+/gi, redactUrl)
}

export interface LogOptions {
  readonly level: string
  /** Values that must never appear in a line: the secrets of the configuration. */
  readonly secrets?: readonly string[]
  /** Standard output if omitted. */
  readonly destination?: DestinationStream
}

/** Opens the log of a process: JSON lines with `time` in RFC 3339, secrets redacted by name, by pattern and by value. */
export function openLog({ level, secrets = [], destination }: LogOptions): Logger {
  const known = secrets.filter((secret) => secret.length >= 6).map((secret) => JSON.stringify(secret).slice(1, -1))
  const cut = cutting(secrets.filter((secret) => secret.length >= 6))
  const hide = (facts: object): Record<string, unknown> => hideIn(facts, 0, cut) as Record<string, unknown>
  const output = destination ?? chunkedOutput(1)
  const root = pino(
    {
      level,
      base: null,
      timestamp: timeMember,
      formatters: {
        level: (label) => ({ level: label }),
        log: hide,
      },
      // An error passes the formatter unchanged and becomes a plain object here.
      serializers: { err: (error: Error) => hide({ ...stdSerializers.err(error) }) },
      hooks: {
        streamWrite: (line) => redactText(line, known),
        logMethod(args, method) {
          const short = args.map((part: unknown) => (typeof part === 'string' ? cut(part) : part))
          method.apply(this, short as typeof args)
        },
      },
    },
    output,
  )
  // The log line of a call is almost always flat: writing it directly costs a third of what the formatters cost.
  const info = root.info
  const writeFlat = function (this: PinoLogger, ...words: unknown[]): void {
    const [facts, message] = words
    if (this === root && words.length === 2 && isFlat(facts) && typeof message === 'string') {
      const members = JSON.stringify({ ...facts, msg: cut(message) }).slice(1)
      output.write(redactText(`{"level":"info"${timeMember()},${members}\n`, known))
    } else info.apply(this, words as Parameters<typeof info>)
  }
  // A child logger of pino skips the formatters, and inherits these methods.
  const child = root.child
  return Object.assign(root, root.isLevelEnabled('info') ? { info: writeFlat } : {}, {
    child(this: PinoLogger, facts: Readonly<Record<string, unknown>>): Logger {
      return child.call(this, hide(facts)) as Logger
    },
  }) as Logger
}
