import type { SafeFetch } from '../../integrations.ts'
import { requestHostJson, type JsonExchangeOptions, type JsonRequest, type JsonResponse } from '../request-host-json.ts'
import { createHostRequestSigner, type HostRequestSigner } from '../signing.ts'
import { asArray, asObject, asText, isObject, type ReadonlyJsonObject } from '../stac-item.ts'
import type { StapiHostDependencies, StapiHostLimits, StapiHostRow } from './stapi-row.ts'

/** Requests to one provider. */
export interface StapiClient {
  readonly fetch: SafeFetch
  readonly sign: HostRequestSigner
  readonly limits: StapiHostLimits
  /** The body of a response with status 200. Throws `HostApiError`, or what the fetch throws. */
  get(url: string, signal?: AbortSignal): Promise<ReadonlyJsonObject>
  /** A response of any of the statuses. */
  exchange(request: JsonRequest, statuses: readonly number[], signal?: AbortSignal): Promise<JsonResponse>
}

export function createStapiClient(
  row: StapiHostRow,
  { createFetch, clock, token }: StapiHostDependencies,
  limits: StapiHostLimits,
): StapiClient {
  const { origin } = new URL(row.url)
  const fetch = createFetch([...(row.allow_private ? [origin] : []), ...row.private_origins])
  const origins = new Set([origin, ...row.token_origins])
  const sign = createHostRequestSigner({ signing: row.signing, origins, token, token_url: '', fetch, clock })
  const options: JsonExchangeOptions = { fetch, sign, ...limits }
  const exchange: StapiClient['exchange'] = (request, statuses, signal) =>
    requestHostJson(request, { options, statuses }, signal)
  return {
    fetch,
    sign,
    limits,
    exchange,
    get: async (url, signal) => asObject((await exchange({ method: 'GET', url }, [200], signal)).json),
  }
}

export interface StapiLink {
  readonly rel: string
  /** Absolute. */
  readonly href: string
  /** The media type in lower case, without parameters; empty if it is not stated. */
  readonly media_type: string
  readonly method: string
  readonly body: ReadonlyJsonObject | null
  readonly fields: ReadonlyJsonObject
}

const max_links = 500

/** The links of an object, relative to the URL that it was read from. */
export const readStapiLinks = (object: ReadonlyJsonObject, base: string): readonly StapiLink[] =>
  asArray(object['links'])
    .slice(0, max_links)
    .flatMap((value) => {
      const fields = asObject(value)
      const [rel, href] = [asText(fields['rel']), asText(fields['href'])]
      if (rel === null || href === null || !URL.canParse(href, base)) return []
      const media_type = (asText(fields['type']) ?? '').toLowerCase().split(';')[0]!.trim()
      const method = (asText(fields['method']) ?? 'GET').toUpperCase()
      const body = isObject(fields['body']) ? fields['body'] : null
      return [{ rel, href: new URL(href, base).href, media_type, method, body, fields }]
    })

export const findStapiLink = (object: ReadonlyJsonObject, rel: string, base: string): StapiLink | null =>
  readStapiLinks(object, base).find((link) => link.rel === rel) ?? null

/** A URL below another one. */
export const appendUrlPath = (base: string, path: string): string =>
  new URL(path, base.endsWith('/') ? base : `${base}/`).href

/** The entries of a list, page by page; a page that was read before ends it. Throws if there are too many. */
export async function* readStapiListPages(
  client: StapiClient,
  first: JsonRequest,
  member: string,
  signal?: AbortSignal,
): AsyncGenerator<{
  readonly entries: readonly ReadonlyJsonObject[]
  readonly page: ReadonlyJsonObject
  readonly url: string
}> {
  const seen = new Set<string>()
  for (let request: JsonRequest | null = first; request !== null;) {
    const key = JSON.stringify([request.method, request.url, request.body ?? null])
    if (seen.has(key)) return
    if (seen.size === client.limits.max_pages)
      throw new Error(`the provider has more than ${client.limits.max_pages} pages`)
    seen.add(key)
    const { json } = await client.exchange(request, [200], signal)
    const page = asObject(json)
    yield { entries: asArray(page[member]).map(asObject), page, url: request.url }
    request = findNextStapiPage(request, page)
  }
}

export function findNextStapiPage(request: JsonRequest, page: ReadonlyJsonObject): JsonRequest | null {
  const link = findStapiLink(page, 'next', request.url)
  if (!link) return null
  const { href: url, method, body } = link
  if (method !== 'POST') return { method: 'GET', url }
  return { method: 'POST', url, headers: request.headers ?? {}, body: { ...request.body, ...body } }
}
