import { lookup as systemLookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { Config } from '../config.ts'
import { isPublicIpAddress, isPublicInternetHost } from './public-addresses.ts'
import { sendHttpRequest, createHttpAgents, type HttpAgents } from './http-request.ts'
import {
  SafeFetchFailure,
  type CheckRemoteUrl,
  type IsInternalUrl,
  type SafeFetch,
  type SafeFetchOptions,
  type SafeFetchResponse,
} from './integrations.ts'
import { createStallAwareTimeoutSignal } from './responsive-timeout.ts'
import { noTracing, type Tracing } from '../tracing/tracing.ts'

export interface ResolvedIpAddress {
  readonly address: string
  readonly family: number
}

/** All addresses of a host name. */
export type ResolveHostName = (name: string) => Promise<readonly ResolvedIpAddress[]>

export interface SafeFetchDependencies {
  readonly config: Pick<Config, 'outside_allow' | 'outside_timeout_ms' | 'outside_limit_bytes'>
  /** The system resolver if omitted; tests pass their own. */
  readonly resolve?: ResolveHostName
  readonly tracing?: Tracing
}

/** Ports of public web servers; any other must be on the allow-list. */
const allowed_ports: ReadonlySet<string> = new Set(['', '443', '8443'])
const default_max_redirects = 3
const redirect_statuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Headers that belong to the connection; set by a caller, they could change where the message ends or goes. */
const connection_headers: ReadonlySet<string> = new Set([
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
const credential_headers: ReadonlySet<string> = new Set(['authorization', 'cookie', 'x-api-key'])

/**
 * The only way to fetch a URL that a client supplied. https to public hosts only, unless the origin is on the configured
 * allow-list. All addresses that a name resolves to are validated, and the connection uses one of exactly these addresses,
 * which prevents DNS rebinding.
 */
export function createSafeFetch({
  config,
  resolve = resolveWithSystem,
  tracing = noTracing,
}: SafeFetchDependencies): SafeFetch {
  const allowed = new Set(config.outside_allow)
  const resolvePublic = (name: string): Promise<readonly ResolvedIpAddress[]> => resolvePublicAddresses(resolve, name)
  const agents = createHttpAgents(resolvePublic, resolve)
  const unlimitedAgents = createHttpAgents(resolvePublic, resolve, Infinity)
  return async (url, options = {}) => {
    const timeout = createStallAwareTimeoutSignal(options.timeout_ms ?? config.outside_timeout_ms)
    const signal = options.signal ? AbortSignal.any([timeout.signal, options.signal]) : timeout.signal
    const limit_bytes = options.limit_bytes ?? config.outside_limit_bytes
    const chosenAgents = options.unlimited_connections ? unlimitedAgents : agents
    try {
      return await traceRequest(tracing, url, options.method ?? 'GET', () =>
        fetchFollowingRedirects(url, { ...options, limit_bytes, signal }, allowed, chosenAgents),
      )
    } finally {
      timeout.stop()
    }
  }
}

/** The span has the host alone: paths and queries may have tokens. The trace context is not sent to others. */
const traceRequest = (
  tracing: Tracing,
  url: string,
  method: string,
  send: () => Promise<SafeFetchResponse>,
): Promise<SafeFetchResponse> => {
  const attributes = {
    'http.request.method': method,
    'server.address': URL.canParse(url) ? new URL(url).host : 'invalid',
  }
  return tracing.span(method, { kind: 'client', attributes }, async (span) => {
    const response = await send()
    span?.setAttributes({ 'http.response.status_code': response.status })
    return response
  })
}

/** Checks a URL with the rules of `createSafeFetch`; the connection checks again, since the name may change its addresses. */
export function createUrlCheck({ config, resolve = resolveWithSystem }: SafeFetchDependencies): CheckRemoteUrl {
  const allowed = new Set(config.outside_allow)
  return async (urlText) => {
    const url = checkFetchUrl(urlText, allowed)
    const host = hostOf(url)
    if (allowed.has(url.origin) || isIP(host)) return
    const addresses = resolvePublicAddresses(resolve, host)
    await Promise.race([addresses, failAfter(config.outside_timeout_ms)])
  }
}

/** Schemes whose URLs name a host; in those of buckets, such as `s3:`, a bucket is in its place. */
const host_schemes: ReadonlySet<string> = new Set(['https:', 'http:', 'ftp:'])

/**
 * Creates a check whether a URL is of a host that is internal by its address or name, and not on the allow-list. Names
 * are not resolved, so that it costs nothing for thousands of URLs: a fetch checks again what a name resolves to.
 */
export function createInternalUrlCheck({ outside_allow }: Pick<Config, 'outside_allow'>): IsInternalUrl {
  const allowed = new Set(outside_allow)
  return (urlText) => {
    const url = URL.canParse(urlText) ? new URL(urlText) : null
    return (
      url !== null && host_schemes.has(url.protocol) && !allowed.has(url.origin) && !isPublicInternetHost(hostOf(url))
    )
  }
}

async function resolvePublicAddresses(resolve: ResolveHostName, name: string): Promise<readonly ResolvedIpAddress[]> {
  const addresses = await resolve(name).catch(() => [])
  if (addresses.length === 0) throw new SafeFetchFailure('name', 'The host name of the URL cannot be resolved.')
  if (!addresses.every(({ address }) => isPublicIpAddress(address))) throw notPublic()
  return addresses
}

const failAfter = (timeout_ms: number): Promise<never> =>
  new Promise((_resolve, reject) => {
    AbortSignal.timeout(timeout_ms).addEventListener('abort', () =>
      reject(new SafeFetchFailure('timeout', 'The host name of the URL took too long to resolve.')),
    )
  })

const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1')

const resolveWithSystem: ResolveHostName = (name) => systemLookup(name, { all: true, verbatim: true })

const notPublic = (): SafeFetchFailure => new SafeFetchFailure('address', 'The URL does not point to a public host.')

/** The parsed URL; throws if it is not allowed. */
export function checkFetchUrl(urlText: string, allowed: ReadonlySet<string>): URL {
  const url = URL.canParse(urlText) ? new URL(urlText) : null
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new SafeFetchFailure('scheme', 'The URL must begin with https://.')
  }
  if (url.username !== '' || url.password !== '') {
    throw new SafeFetchFailure('address', 'The URL must not contain a user name or password.')
  }
  if (allowed.has(url.origin)) return url
  if (url.protocol !== 'https:') throw new SafeFetchFailure('scheme', 'The URL must begin with https://.')
  if (!allowed_ports.has(url.port)) throw new SafeFetchFailure('port', 'The URL must use port 443 or 8443.')
  if (!isPublicInternetHost(hostOf(url))) throw notPublic()
  return url
}

type FetchRequest = SafeFetchOptions & { readonly limit_bytes: number; readonly signal: AbortSignal }

async function fetchFollowingRedirects(
  address: string,
  options: FetchRequest,
  allowed: ReadonlySet<string>,
  agents: HttpAgents,
): Promise<SafeFetchResponse> {
  const method = options.method ?? 'GET'
  const max_redirects = method === 'POST' || method === 'DELETE' ? 0 : (options.redirects ?? default_max_redirects)
  let url = checkFetchUrl(address, allowed)
  let headers = normalizeHeaders(options.headers ?? {})
  for (let redirectCount = 0; ; redirectCount += 1) {
    const response = await sendHttpRequest({
      ...options,
      method,
      url,
      headers,
      agents,
      guarded: !allowed.has(url.origin),
    })
    const location = response.headers['location']
    if (!redirect_statuses.has(response.status) || location === undefined || max_redirects === 0) return response
    if (redirectCount === max_redirects)
      throw new SafeFetchFailure('redirect', `The URL redirects more than ${max_redirects} times.`)
    const nextUrl = URL.canParse(location, url.href) ? new URL(location, url) : null
    if (!nextUrl) throw new SafeFetchFailure('redirect', 'The URL redirects to an invalid URL.')
    if (nextUrl.origin !== url.origin) {
      headers = Object.fromEntries(Object.entries(headers).filter(([name]) => !credential_headers.has(name)))
    }
    url = checkFetchUrl(nextUrl.href, allowed)
  }
}

/** Names in lower case, without headers of the connection. Responses are requested uncompressed. */
function normalizeHeaders(requested: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(requested).map(([name, value]) => [name.toLowerCase(), value] as const)
  const forwarded = entries.filter(([name]) => !connection_headers.has(name))
  return { 'user-agent': 'swath', accept: '*/*', ...Object.fromEntries(forwarded), 'accept-encoding': 'identity' }
}
