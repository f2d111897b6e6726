import { basename } from 'node:path'
import { isLoopback } from './loopback.ts'

/** Parses one setting from its text; throws a `RangeError` whose message completes "NAME …". */
export interface SettingParser<Value> {
  readonly name: string
  parse(text: string): Value
}

export interface SettingDefinition<Value> {
  /** The name of the environment variable. */
  readonly name: string
  readonly kind: SettingParser<Value>
  /** The text for an unset variable. Empty means none for types that allow it. */
  readonly fallback: string
  /** Never logged or printed. */
  readonly secret: boolean
  readonly group: string
  readonly description: string
}

const rejectValue = (message: string): never => {
  throw new RangeError(message)
}

export const textSetting: SettingParser<string> = { name: 'text', parse: (value) => value }

/** Text, or null if empty. */
export const optionalTextSetting: SettingParser<string | null> = { name: 'text', parse: (value) => value || null }

export function minLengthTextSetting(length: number): SettingParser<string | null> {
  return {
    name: `text of ${length} characters or more`,
    parse: (value) =>
      value === '' || value.length >= length ? value || null : rejectValue(`must have at least ${length} characters`),
  }
}

export function integerSetting(min: number, max: number): SettingParser<number> {
  return {
    name: `integer from ${min} to ${max}`,
    parse(value) {
      const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
      return number >= min && number <= max ? number : rejectValue(`must be an integer from ${min} to ${max}`)
    },
  }
}

export const planNames = ['free', 'prepaid', 'enterprise', 'internal'] as const
export type PlanName = (typeof planNames)[number]
export type NumberByPlan = Readonly<Record<PlanName, number>>

/** Increasing or equal numbers of seconds, separated by commas. */
export function secondsListSetting(max_entries: number, max: number): SettingParser<readonly number[]> {
  const seconds = integerSetting(0, max)
  return {
    name: `up to ${max_entries} integers from 0 to ${max}`,
    parse(value) {
      const entries = splitList(value).map((entry) => seconds.parse(entry))
      if (entries.length < 1 || entries.length > max_entries) rejectValue(`must have from 1 to ${max_entries} entries`)
      return entries
    },
  }
}

/**
 * One integer for all plans, or one for each: `free:600, prepaid:1200, enterprise:6000`. Unnamed plans take the first one.
 */
export function integerByPlanSetting(min: number, max: number): SettingParser<NumberByPlan> {
  const number = integerSetting(min, max)
  return {
    name: `${number.name}, or one for each plan`,
    parse(value) {
      const entries = splitList(value).map((entry) => /^(?:(\w+)\s*:\s*)?(\d+)$/.exec(entry))
      const named = entries.map((row) => [row?.[1] ?? 'free', number.parse(row?.[2] ?? '')] as const)
      const arePlansKnown = named.every(([plan]) => (planNames as readonly string[]).includes(plan))
      if (named.length === 0 || !arePlansKnown)
        return rejectValue(`must be an integer, or integers by plan (${planNames.join(', ')})`)
      const numbers = new Map<string, number>(named)
      return Object.fromEntries(planNames.map((plan) => [plan, numbers.get(plan) ?? named[0]![1]])) as NumberByPlan
    },
  }
}

const true_words = new Set(['1', 'true', 'yes', 'on'])
const false_words = new Set(['0', 'false', 'no', 'off'])

export const flagSetting: SettingParser<boolean> = {
  name: 'on or off',
  parse(value) {
    const word = value.toLowerCase()
    if (true_words.has(word)) return true
    return false_words.has(word) ? false : rejectValue('must be on or off')
  },
}

/** The type of a setting that is on, off, or null if empty. */
export const optionalFlagSetting: SettingParser<boolean | null> = {
  name: flagSetting.name,
  parse: (value) => (value === '' ? null : flagSetting.parse(value)),
}

export function oneOfSetting<const Word extends string>(...words: readonly Word[]): SettingParser<Word> {
  return {
    name: words.join(', '),
    parse: (value) =>
      words.find((word) => word === value.toLowerCase()) ?? rejectValue(`must be one of ${words.join(', ')}`),
  }
}

function parseUrl(value: string, schemes: readonly string[]): URL {
  const url = URL.canParse(value) ? new URL(value) : null
  const isValid =
    url !== null && schemes.includes(url.protocol.slice(0, -1)) && (url.hostname !== '' || url.pathname !== '')
  return isValid
    ? url
    : rejectValue(`must be a URL that begins with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`)
}

/** An http(s) URL without query, fragment, user or trailing slash; null if empty. */
export const httpUrlSetting: SettingParser<string | null> = {
  name: 'http or https URL',
  parse(value) {
    if (value === '') return null
    const url = parseUrl(value, ['http', 'https'])
    if (url.search || url.hash || url.username || url.password) {
      rejectValue('must be a URL without user, query or fragment')
    }
    return url.href.replace(/(?<!\/)\/+$/, '')
  },
}

/** A background of the map that an operator offers: at a URL, or in a file of the server. */
export interface BaseMapSetting {
  readonly title: string
  /** The URL as written in the setting, maybe a template with braces. Null for a file. */
  readonly url: string | null
  /** Absolute path of a PMTiles archive; null for a URL. */
  readonly file: string | null
}

/** Base maps separated by semicolons or line breaks, each with a title if it has one: `Roads=https://…`. */
export const baseMapsSetting: SettingParser<readonly BaseMapSetting[]> = {
  name: 'URLs or paths of PMTiles archives, separated by semicolons',
  parse: (value) =>
    value
      .split(/[;\n]/)
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '')
      .map(parseBaseMap),
}

function parseBaseMap(entry: string): BaseMapSetting {
  const [, title, location = ''] = /^(?:([^=:/?#{}]+)=)?(.+)$/.exec(entry) ?? []
  if (location.startsWith('/') && location.endsWith('.pmtiles'))
    return { title: title?.trim() ?? basename(location, '.pmtiles'), url: null, file: location }
  const { hostname } = parseUrl(location, ['http', 'https'])
  return { title: title?.trim() ?? hostname, url: location, file: null }
}

export const smtpUrlSetting: SettingParser<string | null> = {
  name: 'SMTP URL',
  parse: (value) => (value === '' ? null : parseUrl(value, ['smtp', 'smtps']).href),
}

export const databaseUrlSetting: SettingParser<string | null> = {
  name: 'postgres URL',
  parse: (value) => (value === '' ? null : parseUrl(value, ['postgres', 'postgresql']).href),
}

export interface BucketLocation {
  readonly bucket: string
  /** Without slashes at either end; empty for none. */
  readonly prefix: string
}

export const bucketUrlSetting: SettingParser<BucketLocation | null> = {
  name: 's3://bucket/prefix',
  parse(value) {
    if (value === '') return null
    const match = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([A-Za-z0-9!_.*'()/-]*))?$/.exec(value)
    if (!match) return rejectValue('must look like s3://bucket or s3://bucket/prefix')
    return { bucket: match[1]!, prefix: (match[2] ?? '').replaceAll(/^\/+|(?<!\/)\/+$/g, '') }
  },
}

/** The values of Fastify's `trustProxy`: none, all, a number of hops, or IP addresses. */
export type TrustProxy = boolean | number | string[]

export const trustedProxiesSetting: SettingParser<TrustProxy> = {
  name: 'off, on, a number of hops, or IP addresses',
  parse(value) {
    const word = value.toLowerCase()
    if (/^[1-9]$/.test(value)) return Number(value)
    if (true_words.has(word)) return true
    if (false_words.has(word)) return false
    const addresses = splitList(value)
    const isValid = addresses.length > 0 && addresses.every((entry) => /^[0-9a-fA-F:.]{2,45}(\/\d{1,3})?$/.test(entry))
    return isValid
      ? addresses
      : rejectValue('must be off, on, a number of hops from 1 to 9, or IP addresses separated by commas')
  },
}

const splitList = (value: string): string[] =>
  value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')

export const originsSetting: SettingParser<readonly string[]> = {
  name: 'origins separated by commas',
  parse: (value) =>
    splitList(value).map((entry) => {
      const url = parseUrl(entry, ['http', 'https'])
      return url.href === `${url.origin}/`
        ? url.origin
        : rejectValue(`must contain origins such as https://host:8443, not "${entry}"`)
    }),
}

const nameServerPattern = /^(?:\[[\da-f:.]+\]|\d{1,3}(?:\.\d{1,3}){3})(?::\d{1,5})?$/i

/** IP addresses of name servers; one of version 6 is in brackets. */
export const nameServersSetting: SettingParser<readonly string[]> = {
  name: 'IP addresses separated by commas',
  parse: (value) =>
    splitList(value).map((entry) =>
      nameServerPattern.test(entry) && URL.canParse(`http://${entry}`)
        ? entry
        : rejectValue(`must contain IP addresses with optional ports, not "${entry}"`),
    ),
}

/**
 * Redirect URIs of OAuth clients, in their normalized form since they are compared as texts. Plain http is permitted on
 * loopback addresses only.
 */
export const redirectUrisSetting: SettingParser<readonly string[]> = {
  name: 'URLs separated by commas',
  parse: (value) =>
    splitList(value).map((entry) => {
      const url = parseUrl(entry, ['http', 'https'])
      if (url.hash || url.username || url.password)
        rejectValue(`must contain URLs without user or fragment, not "${entry}"`)
      if (url.protocol === 'http:' && !isLoopback(url.hostname))
        rejectValue(`must contain https URLs, or http URLs of a loopback address, not "${entry}"`)
      return url.href === entry ? entry : rejectValue(`must contain "${url.href}" instead of "${entry}"`)
    }),
}

export const clientIdsSetting: SettingParser<readonly string[]> = {
  name: 'client ids separated by commas',
  parse: (value) =>
    splitList(value).map((id) =>
      /^[\w.~-]{1,100}$/.test(id) ? id : rejectValue(`must contain ids of letters, digits and -._~, not "${id}"`),
    ),
}

const abn_weights = [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]

/**
 * An Australian Business Number as eleven digits, without spaces; null if it is not valid. Its checksum is a weighted sum
 * modulo 89, with the first digit reduced by one.
 */
export function parseAbn(text: string): string | null {
  const digits = text.replaceAll(/\s/g, '')
  if (!/^\d{11}$/.test(digits)) return null
  const sum = abn_weights.reduce((total, weight, at) => total + weight * (Number(digits[at]) - (at === 0 ? 1 : 0)), 0)
  return sum % 89 === 0 ? digits : null
}

/** An Australian Business Number as eleven digits. */
export const abnSetting: SettingParser<string | null> = {
  name: 'Australian Business Number',
  parse: (value) =>
    value.trim() === '' ? null : (parseAbn(value) ?? rejectValue('must be a valid number of eleven digits')),
}

/** The number of a bank and its branch in Australia, as six digits. */
export const bsbSetting: SettingParser<string | null> = {
  name: 'six digits',
  parse: (value) => {
    const digits = value.replaceAll(/[\s-]/g, '')
    return digits === '' ? null : /^\d{6}$/.test(digits) ? digits : rejectValue('must have six digits')
  },
}

/** Lines of text separated by semicolons. */
export const textLinesSetting: SettingParser<readonly string[]> = {
  name: 'lines separated by semicolons',
  parse: (value) =>
    value
      .split(';')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
}

export const emailSetting: SettingParser<string> = {
  name: 'e-mail address',
  parse: (value) => (/^[^\s@]+@[^\s@]+$/.test(value) ? value.toLowerCase() : rejectValue('must be an e-mail address')),
}

export const optionalEmailSetting: SettingParser<string | null> = {
  name: emailSetting.name,
  parse: (value) => (value === '' ? null : emailSetting.parse(value)),
}

/** Some of these words, separated by commas; each counts once. */
export function someOfSetting<const Word extends string>(...words: readonly Word[]): SettingParser<readonly Word[]> {
  const word = oneOfSetting(...words)
  return {
    name: 'names separated by commas',
    parse: (value) => [...new Set(splitList(value))].map((entry) => word.parse(entry)),
  }
}

/** A number from 0 to 1. */
export const fractionSetting: SettingParser<number> = {
  name: 'number from 0 to 1',
  parse: (value) =>
    /^(?:0|1|0?\.\d{1,9}|1\.0+|0\.0+)$/.test(value) ? Number(value) : rejectValue('must be a number from 0 to 1'),
}

/** `name=value` pairs separated by commas, percent-encoded as OpenTelemetry has them. */
export const headerListSetting: SettingParser<Readonly<Record<string, string>>> = {
  name: 'name=value pairs separated by commas',
  parse: (value) =>
    Object.fromEntries(
      splitList(value).map((entry) => {
        const [, name, text] =
          /^([\w!#$%&'*+.^`|~-]+)\s*=\s*((?:[\x21-\x24\x26-\x7e ]|%[0-9a-fA-F]{2})+)$/.exec(entry) ?? []
        return name && text ? [name, decodeURIComponent(text)] : rejectValue('must contain pairs such as name=value')
      }),
    ),
}

/** `name:TOKEN` pairs separated by commas. */
export const tokensByHostSetting: SettingParser<ReadonlyMap<string, string>> = {
  name: 'name:TOKEN pairs separated by commas',
  parse: (value) =>
    new Map(
      splitList(value).map((entry) => {
        const [, name, token] = /^([a-z0-9-]+)\s*:\s*([\x21-\x7e]+)$/.exec(entry) ?? []
        return name && token ? ([name, token] as const) : rejectValue('must contain pairs such as name:TOKEN')
      }),
    ),
}

/** Creates settings under one heading of the generated documentation. */
export function createSettingGroup(title: string) {
  // oxlint-disable-next-line max-params -- a row of the table of settings: its columns in their order
  return function setting<Value>(
    name: string,
    kind: SettingParser<Value>,
    fallback: string,
    description: string,
    secret: 'secret' | 'open' = 'open',
  ): SettingDefinition<Value> {
    return { name, kind, fallback, secret: secret === 'secret', group: title, description }
  }
}
