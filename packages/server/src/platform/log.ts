import { pino, stdSerializers, type DestinationStream, type Logger as PinoLogger } from 'pino'
import { timeMember } from './clock.ts'
import { chunkedOutput } from './log-output.ts'

/** Writes JSON lines: `log.info({ operation, status, ms }, 'call')`. One wide line per call, never one per step. */
export type Logger = Pick<PinoLogger, 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'level'> & {
  child(facts: Readonly<Record<string, unknown>>): Logger
}

const hidden = '[hidden]'

/** Names of facts, headers and query parameters whose values never reach a log, whatever their case and dashes. */
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

/** Names repeat from line to line: each is looked at once. */
const judged = new Map<string, boolean>()
const mostJudged = 10_000

function isSecretName(name: string): boolean {
  const known = judged.get(name)
  if (known !== undefined) return known
  const secret = secretNames.has(name.toLowerCase().replaceAll(/[-_]/g, ''))
  if (judged.size < mostJudged) judged.set(name, secret)
  return secret
}

/** How deep and how wide a fact is followed; what lies beyond is left out of the line. */
const deepest = 6
const widest = 100
const longest_name = 256

/** So much of a text reaches a line: what callers send must not decide how long a line takes to write. */
const longest_text = 4096

/** Further than any secret reaches: one that lies across the cut is found before it is cut. */
const beyond_text = 1024

type Cut = (text: string) => string

/** Cuts a text to its greatest length. Secrets are taken out first, so that no beginning of one is left at the end. */
const cutting =
  (secrets: readonly string[]): Cut =>
  (text) =>
    text.length <= longest_text
      ? text
      : `${redactText(text.slice(0, longest_text + beyond_text), secrets).slice(0, longest_text)}[longer]`

/** Most facts are flat, short and hold no secret: they go out as they are, without a copy. */
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

/** True for facts that go out as they are: no list, no object, no error, no secret, nothing that is long. */
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

/** The address with the values of secret query parameters and any user name and password taken out. */
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

/** Whether a line can hold anything to take out at all: most hold nothing, and are looked at just this once. */
const anySuspect =
  /swath(?:tile|share|visit)?_|eyJ|whsec_|k_test_|k_live_|[Bb][Ee][Aa][Rr][Ee][Rr]|[Bb][Aa][Ss][Ii][Cc]|:\/\/|\?/

/** Secrets that can be told by their shape: API keys, bearer tokens, tile tokens, JWTs, webhook secrets, processor keys. */
const secretShapes: readonly RegExp[] = [
  /swath(?:tile|share|visit)?_[0-9A-Za-z][\w-]{9,}/g,
  /\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi,
  // Begins with its word, and looks for the dots before it looks for `eyJ`: else every `eyJ` would look for them again.
  /(?<![\w-])(?=[\w-]{11,}\.[\w-]{8,}\.[\w-])[\w-]*?eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]+/g,
  /\bwhsec_[\w+/=-]{8,}/g,
  /\b[sr]k_(test|live)_\w{8,}/g,
]

/** A text with everything in it that looks like a secret, and every given secret, taken out. */
export function redactText(text: string, secrets: readonly string[] = []): string {
  const plain = anySuspect.test(text) ? redactShapes(text) : text
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, hidden), plain)
}

function redactShapes(text: string): string {
  const shaped = secretShapes.reduce((rest, shape) => rest.replaceAll(shape, hidden), text)
  // What stands before a query needs no look: an expression that begins there would begin at every slash.
  return shaped.replaceAll(/[a-z][a-z0-9+.-]{1,15}:\/\/[^\s"\\]+|\?[^\s"\\]+/gi, redactUrl)
}

export interface LogOptions {
  readonly level: string
  /** Values that never appear in a line, from the configuration's secrets. */
  readonly secrets?: readonly string[]
  /** Standard output when left out. */
  readonly destination?: DestinationStream
}

/** Opens the log of a process: JSON lines with `time` in RFC 3339, secrets taken out by name, by shape and by value. */
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
      // An error passes the formatter as it is, and becomes a plain object here.
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
  // The line of a call is flat nearly always: written at once it costs a third of what it costs through the formatters.
  const info = root.info
  const writeFlat = function (this: PinoLogger, ...words: unknown[]): void {
    const [facts, message] = words
    if (this === root && words.length === 2 && isFlat(facts) && typeof message === 'string') {
      const members = JSON.stringify({ ...facts, msg: cut(message) }).slice(1)
      output.write(redactText(`{"level":"info"${timeMember()},${members}\n`, known))
    } else info.apply(this, words as Parameters<typeof info>)
  }
  // A child of pino skips the formatters, and inherits these methods.
  const child = root.child
  return Object.assign(root, root.isLevelEnabled('info') ? { info: writeFlat } : {}, {
    child(this: PinoLogger, facts: Readonly<Record<string, unknown>>): Logger {
      return child.call(this, hide(facts)) as Logger
    },
  }) as Logger
}
