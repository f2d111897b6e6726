/** Parses one setting from its text; throws a `RangeError` whose message completes "NAME …". */
export interface Kind<Value> {
  readonly name: string
  read(text: string): Value
}

export interface Setting<Value> {
  /** The name of the environment variable. */
  readonly name: string
  readonly kind: Kind<Value>
  /** The text for an unset variable. Empty means none for types that allow it. */
  readonly fallback: string
  /** Never logged or printed. */
  readonly secret: boolean
  readonly group: string
  readonly meaning: string
}

const refuse = (sentence: string): never => {
  throw new RangeError(sentence)
}

export const text: Kind<string> = { name: 'text', read: (value) => value }

/** Text, or null if empty. */
export const optionalText: Kind<string | null> = { name: 'text', read: (value) => value || null }

export function atLeast(length: number): Kind<string | null> {
  return {
    name: `text of ${length} characters or more`,
    read: (value) =>
      value === '' || value.length >= length ? value || null : refuse(`must have at least ${length} characters`),
  }
}

export function whole(least: number, most: number): Kind<number> {
  return {
    name: `integer from ${least} to ${most}`,
    read(value) {
      const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
      return number >= least && number <= most ? number : refuse(`must be an integer from ${least} to ${most}`)
    },
  }
}

export const plans = ['free', 'prepaid', 'enterprise', 'internal'] as const
export type PlanName = (typeof plans)[number]
export type NumberByPlan = Readonly<Record<PlanName, number>>

/**
 * One integer for all plans, or one for each: `free:600, prepaid:1200, enterprise:6000`. Unnamed plans take the first one.
 */
export function wholeByPlan(least: number, most: number): Kind<NumberByPlan> {
  const number = whole(least, most)
  return {
    name: `${number.name}, or one for each plan`,
    read(value) {
      const rows = listOf(value).map((entry) => /^(?:(\w+)\s*:\s*)?(\d+)$/.exec(entry))
      const named = rows.map((row) => [row?.[1] ?? 'free', number.read(row?.[2] ?? '')] as const)
      const known = named.every(([plan]) => (plans as readonly string[]).includes(plan))
      if (named.length === 0 || !known) return refuse(`must be an integer, or integers by plan (${plans.join(', ')})`)
      const numbers = new Map<string, number>(named)
      return Object.fromEntries(plans.map((plan) => [plan, numbers.get(plan) ?? named[0]![1]])) as NumberByPlan
    },
  }
}

const yes = new Set(['1', 'true', 'yes', 'on'])
const no = new Set(['0', 'false', 'no', 'off'])

export const flag: Kind<boolean> = {
  name: 'on or off',
  read(value) {
    const word = value.toLowerCase()
    if (yes.has(word)) return true
    return no.has(word) ? false : refuse('must be on or off')
  },
}

/** On, off, or null if empty. */
export const optionalFlag: Kind<boolean | null> = {
  name: flag.name,
  read: (value) => (value === '' ? null : flag.read(value)),
}

export function oneOf<const Word extends string>(...words: readonly Word[]): Kind<Word> {
  return {
    name: words.join(', '),
    read: (value) => words.find((word) => word === value.toLowerCase()) ?? refuse(`must be one of ${words.join(', ')}`),
  }
}

function parseUrl(value: string, schemes: readonly string[]): URL {
  const url = URL.canParse(value) ? new URL(value) : null
  const fits =
    url !== null && schemes.includes(url.protocol.slice(0, -1)) && (url.hostname !== '' || url.pathname !== '')
  return fits ? url : refuse(`must be a URL that begins with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`)
}

/** An http(s) URL without query, fragment, user or trailing slash; null if empty. */
export const address: Kind<string | null> = {
  name: 'http or https URL',
  read(value) {
    if (value === '') return null
    const url = parseUrl(value, ['http', 'https'])
    if (url.search || url.hash || url.username || url.password) {
      refuse('must be a URL without user, query or fragment')
    }
    return url.href.replace(/(?<!\/)\/+$/, '')
  },
}

export const databaseAddress: Kind<string | null> = {
  name: 'postgres URL',
  read: (value) => (value === '' ? null : parseUrl(value, ['postgres', 'postgresql']).href),
}

export interface Bucket {
  readonly bucket: string
  /** Without slashes at either end; empty for none. */
  readonly prefix: string
}

export const storage: Kind<Bucket | null> = {
  name: 's3://bucket/prefix',
  read(value) {
    if (value === '') return null
    const match = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([A-Za-z0-9!_.*'()/-]*))?$/.exec(value)
    if (!match) return refuse('must look like s3://bucket or s3://bucket/prefix')
    return { bucket: match[1]!, prefix: (match[2] ?? '').replaceAll(/^\/+|(?<!\/)\/+$/g, '') }
  },
}

/** The values of Fastify's `trustProxy`: none, all, a number of hops, or IP addresses. */
export type TrustProxy = boolean | number | string[]

export const proxies: Kind<TrustProxy> = {
  name: 'off, on, a number of hops, or IP addresses',
  read(value) {
    const word = value.toLowerCase()
    if (/^[1-9]$/.test(value)) return Number(value)
    if (yes.has(word)) return true
    if (no.has(word)) return false
    const addresses = listOf(value)
    const fits = addresses.length > 0 && addresses.every((entry) => /^[0-9a-fA-F:.]{2,45}(\/\d{1,3})?$/.test(entry))
    return fits
      ? addresses
      : refuse('must be off, on, a number of hops from 1 to 9, or IP addresses separated by commas')
  },
}

const listOf = (value: string): string[] =>
  value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')

export const origins: Kind<readonly string[]> = {
  name: 'origins separated by commas',
  read: (value) =>
    listOf(value).map((entry) => {
      const url = parseUrl(entry, ['http', 'https'])
      return url.href === `${url.origin}/`
        ? url.origin
        : refuse(`must contain origins such as https://host:8443, not "${entry}"`)
    }),
}

const abnWeights = [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]

/**
 * An Australian Business Number as eleven digits, validated by its checksum: modulo 89, with the first digit reduced by
 * one.
 */
export const abn: Kind<string | null> = {
  name: 'Australian Business Number',
  read(value) {
    const digits = value.replaceAll(' ', '')
    if (digits === '') return null
    const sum = abnWeights.reduce((total, weight, at) => total + weight * (Number(digits[at]) - (at === 0 ? 1 : 0)), 0)
    return /^\d{11}$/.test(digits) && sum % 89 === 0 ? digits : refuse('must be a valid number of eleven digits')
  },
}

/** Lines of text separated by semicolons. */
export const textLines: Kind<readonly string[]> = {
  name: 'lines separated by semicolons',
  read: (value) =>
    value
      .split(';')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
}

export const email: Kind<string> = {
  name: 'e-mail address',
  read: (value) => (/^[^\s@]+@[^\s@]+$/.test(value) ? value.toLowerCase() : refuse('must be an e-mail address')),
}

/** Creates settings under one heading of the generated documentation. */
export function group(title: string) {
  return function setting<Value>(
    name: string,
    kind: Kind<Value>,
    fallback: string,
    meaning: string,
    secret: 'secret' | 'open' = 'open',
  ): Setting<Value> {
    return { name, kind, fallback, secret: secret === 'secret', group: title, meaning }
  }
}
