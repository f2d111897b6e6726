import { lookup as systemLookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { Config } from '../config.ts'
import { isPublicAddress, isPublicName } from './addresses.ts'
import { exchange, openAgents, type Agents } from './exchange.ts'
import { OutsideFailure, type SafeFetch, type SafeFetchOptions, type SafeResponse } from './outside.ts'

export interface ResolvedAddress {
  readonly address: string
  readonly family: number
}

/** All addresses of a host name. */
export type Resolve = (name: string) => Promise<readonly ResolvedAddress[]>

export interface SafeFetchParts {
  readonly config: Pick<Config, 'outside_allow' | 'outside_timeout_ms' | 'outside_limit_bytes'>
  /** The system resolver if omitted; tests pass their own. */
  readonly resolve?: Resolve
}

/** Ports of public web servers; any other must be on the allow-list. */
const openPorts: ReadonlySet<string> = new Set(['', '443', '8443'])
const defaultRedirects = 3
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Headers that belong to the connection; set by a caller, they could change where the message ends or goes. */
const ownHeaders: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Headers that are sent only to their original origin. */
const boundHeaders: ReadonlySet<string> = new Set(['authorization', 'cookie', 'x-api-key'])

/**
 * The only way to fetch a URL that a client supplied. https to public hosts only, unless the origin is on the configured
 * allow-list. All addresses that a name resolves to are validated, and the connection uses one of exactly these addresses,
 * which prevents DNS rebinding.
 */
export function openSafeFetch({ config, resolve = resolveBySystem }: SafeFetchParts): SafeFetch {
  const allowed = new Set(config.outside_allow)
  const agents = openAgents(async (name) => {
    const found = await resolve(name).catch(() => [])
    if (found.length === 0) throw new OutsideFailure('name', 'The host name of the URL cannot be resolved.')
    if (!found.every(({ address }) => isPublicAddress(address))) throw notPublic()
    return found
  }, resolve)
  return async (url, options = {}) => {
    const timeout = AbortSignal.timeout(options.timeout_ms ?? config.outside_timeout_ms)
    const signal = options.signal ? AbortSignal.any([timeout, options.signal]) : timeout
    const limit_bytes = options.limit_bytes ?? config.outside_limit_bytes
    return follow(url, { ...options, limit_bytes, signal }, allowed, agents)
  }
}

const resolveBySystem: Resolve = (name) => systemLookup(name, { all: true, verbatim: true })

const notPublic = (): OutsideFailure => new OutsideFailure('address', 'The URL does not point to a public host.')

/** The parsed URL; throws if it is not allowed. */
export function checkAddress(text: string, allowed: ReadonlySet<string>): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new OutsideFailure('scheme', 'The URL must begin with https://.')
  }
  if (url.username !== '' || url.password !== '') {
    throw new OutsideFailure('address', 'The URL must not contain a user name or password.')
  }
  if (allowed.has(url.origin)) return url
  if (url.protocol !== 'https:') throw new OutsideFailure('scheme', 'The URL must begin with https://.')
  if (!openPorts.has(url.port)) throw new OutsideFailure('port', 'The URL must use port 443 or 8443.')
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(host) ? !isPublicAddress(host) : !isPublicName(host)) throw notPublic()
  return url
}

type Wanted = SafeFetchOptions & { readonly limit_bytes: number; readonly signal: AbortSignal }

async function follow(
  address: string,
  options: Wanted,
  allowed: ReadonlySet<string>,
  agents: Agents,
): Promise<SafeResponse> {
  const method = options.method ?? 'GET'
  const most = method === 'POST' ? 0 : (options.redirects ?? defaultRedirects)
  let url = checkAddress(address, allowed)
  let headers = plainHeaders(options.headers ?? {})
  for (let step = 0; ; step += 1) {
    const response = await exchange({ ...options, method, url, headers, agents, guarded: !allowed.has(url.origin) })
    const target = response.headers['location']
    if (!redirectStatuses.has(response.status) || target === undefined || most === 0) return response
    if (step === most) throw new OutsideFailure('redirect', `The URL redirects more than ${most} times.`)
    const next = URL.canParse(target, url.href) ? new URL(target, url) : null
    if (!next) throw new OutsideFailure('redirect', 'The URL redirects to an invalid URL.')
    if (next.origin !== url.origin) {
      headers = Object.fromEntries(Object.entries(headers).filter(([name]) => !boundHeaders.has(name)))
    }
    url = checkAddress(next.href, allowed)
  }
}

/** Names in lower case, without headers of the connection. Responses are requested uncompressed. */
function plainHeaders(given: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(given).map(([name, value]) => [name.toLowerCase(), value] as const)
  const kept = entries.filter(([name]) => !ownHeaders.has(name))
  return { 'user-agent': 'swath', accept: '*/*', ...Object.fromEntries(kept), 'accept-encoding': 'identity' }
}
