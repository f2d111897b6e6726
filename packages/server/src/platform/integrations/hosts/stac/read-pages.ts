import type { HostScene } from '../../imagery-host.ts'
import {
  type HostItem,
  type ReadonlyJsonObject,
  asArray,
  asObject,
  asText,
  isObject,
  readStacItem,
} from '../stac-item.ts'
import { HostApiError } from '../request-host-json.ts'
import type { StacClient, StacRequest } from './stac-client.ts'

/** Request headers that a link may set; others belong to the connection or carry credentials. */
const refused_headers: ReadonlySet<string> = new Set(['authorization', 'cookie', 'host', 'x-api-key'])

/**
 * The request for the page after this one, or null after the last. All ways in use are understood: a link with GET, with
 * POST and a whole body, or a part of one to be merged (`merge`), with headers; and of APIs that give no link, a token
 * beside the features or the number of the page.
 */
function findNextPage(request: StacRequest, page: ReadonlyJsonObject): StacRequest | null {
  const link = asArray(page['links'])
    .map(asObject)
    .find(({ rel }) => rel === 'next')
  return link ? requestOfLink(request, link) : requestWithoutLink(request, page)
}

function requestOfLink(request: StacRequest, link: ReadonlyJsonObject): StacRequest | null {
  const href = asText(link['href'])
  if (!href || !URL.canParse(href, request.url)) return null
  const url = new URL(href, request.url).href
  const headers = { ...request.headers, ...readHeaders(link['headers']) }
  const method = (asText(link['method']) ?? 'GET').toUpperCase()
  if (method !== 'POST') return { method: 'GET', url, headers }
  const body = asObject(link['body'])
  return { method: 'POST', url, headers, body: isMerged(link) ? { ...request.body, ...body } : body }
}

/** A POST link without a body can only mean the body of the request. */
const isMerged = (link: ReadonlyJsonObject): boolean => link['merge'] === true || !isObject(link['body'])

const readHeaders = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(asObject(value)).flatMap(([name, text]) => {
      const lower = name.toLowerCase()
      const isValid = /^[a-z0-9-]{1,64}$/.test(lower) && typeof text === 'string' && /^[\x20-\x7e]{0,1024}$/.test(text)
      return isValid && !refused_headers.has(lower) ? [[lower, text] as const] : []
    }),
  )

function requestWithoutLink(request: StacRequest, page: ReadonlyJsonObject): StacRequest | null {
  for (const { place, name, parameter } of tokenPlaces) {
    const token = asText((place ? asObject(page[place]) : page)[name])
    if (!token) continue
    if (/^https?:\/\//.test(token)) return requestOfLink(request, { href: token })
    return withParameter(request, parameter, token)
  }
  return nextByNumber(request, page)
}

/** The places of the token of the next page in APIs without links, and the parameter that takes it. */
const tokenPlaces = [
  { place: null, name: 'next', parameter: 'next' },
  { place: null, name: 'token', parameter: 'token' },
  { place: null, name: 'cursor', parameter: 'cursor' },
  { place: 'context', name: 'next', parameter: 'next' },
  { place: 'search:metadata', name: 'next', parameter: 'next' },
  { place: 'meta', name: 'next', parameter: 'next' },
] as const

/** Counted pages: `page` and `limit` beside the number of matches. */
function nextByNumber(request: StacRequest, page: ReadonlyJsonObject): StacRequest | null {
  for (const counts of [asObject(page['context']), asObject(page['meta']), asObject(page['search:metadata'])]) {
    const { page: number, limit, offset } = counts
    const matched = counts['matched'] ?? counts['found'] ?? page['numberMatched']
    if (typeof limit !== 'number' || limit < 1 || typeof matched !== 'number') continue
    if (typeof number === 'number' && number * limit < matched) return withParameter(request, 'page', number + 1)
    if (typeof offset === 'number' && offset + limit < matched) return withParameter(request, 'offset', offset + limit)
  }
  return null
}

function withParameter(request: StacRequest, name: string, value: string | number): StacRequest {
  if (request.method === 'POST') return { ...request, body: { ...request.body, [name]: value } }
  const url = new URL(request.url)
  url.searchParams.set(name, String(value))
  return { ...request, url: url.href }
}

export interface StacPageLimits {
  readonly max_pages: number
}

/** More pages follow than a search may read. */
export class TooManyStacPages extends Error {}

/**
 * The items of a search page by page, each once, in the order of the API. Features that are not usable are left out; a
 * page that was read before ends the search.
 */
export async function* readStacItemPages(
  client: StacClient,
  first: StacRequest,
  { max_pages }: StacPageLimits,
  signal?: AbortSignal,
): AsyncGenerator<readonly HostItem[]> {
  const seenRequests = new Set<string>()
  const seenItems = new Set<string>()
  for (let request: StacRequest | null = first; request !== null;) {
    const key = JSON.stringify([request.method, request.url, request.body ?? null, request.headers ?? null])
    if (seenRequests.has(key)) return
    if (seenRequests.size === max_pages) throw new TooManyStacPages(`the catalogue has more than ${max_pages} pages`)
    seenRequests.add(key)
    const page = await client.request(request, signal)
    if (!isObject(page) || !Array.isArray(page['features']))
      throw new HostApiError(200, 'the catalogue returned something other than a feature collection')
    const items = asArray(page['features']).flatMap((feature) => readStacItem(feature) ?? [])
    yield items.filter(({ scene }) => isFirst(seenItems, scene))
    // An empty page with a next link is allowed; one without features at all ends most broken paging.
    request = page['features'].length === 0 && !hasNextLink(page) ? null : findNextPage(request, page)
  }
}

const hasNextLink = (page: Readonly<Record<string, unknown>>): boolean =>
  asArray(page['links']).some((link) => asObject(link)['rel'] === 'next')

function isFirst(seen: Set<string>, { collection, id }: HostScene): boolean {
  const key = `${collection}\u0000${id}`
  if (seen.has(key)) return false
  seen.add(key)
  return true
}
