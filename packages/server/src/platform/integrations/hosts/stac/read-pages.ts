import type { HostScene } from '../../imagery-host.ts'
import { asArray, asObject, isObject, readStacItem, type HostItem } from '../stac-item.ts'
import { findNextPage } from './next-page.ts'
import { HostApiError } from '../json-exchange.ts'
import type { StacClient, StacRequest } from './stac-client.ts'

export interface PageLimits {
  readonly max_pages: number
}

/** More pages follow than a search may read. */
export class TooManyPages extends Error {}

/**
 * The items of a search page by page, each once, in the order of the API. Features that are not usable are left out; a
 * page that was read before ends the search.
 */
export async function* readPages(
  client: StacClient,
  first: StacRequest,
  { max_pages }: PageLimits,
  signal?: AbortSignal,
): AsyncGenerator<readonly HostItem[]> {
  const seenRequests = new Set<string>()
  const seenItems = new Set<string>()
  for (let request: StacRequest | null = first; request !== null;) {
    const key = JSON.stringify([request.method, request.url, request.body ?? null, request.headers ?? null])
    if (seenRequests.has(key)) return
    if (seenRequests.size === max_pages) throw new TooManyPages(`the catalogue has more than ${max_pages} pages`)
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
