import { createHash } from 'node:crypto'
import { written, type WrittenAnswer } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import { findFeatures } from '../items/found-features.ts'
import { countablePage } from '../items/page-size.ts'
import { linkBase } from '../items/link-base.ts'
import { rememberPages } from '../items/page-boundaries.ts'
import { readableProjects } from '../projects/access.ts'
import { pageLinks, rootLink, searchPlace, type Place } from './links.ts'
import { readStacSearch, type StacSearchInput } from './read-search.ts'

const pages = rememberPages()

const unasked = { page: null, base_url: null, link_method: null }

/** What tells one search from another: who asks for what, whatever the page and in whatever order the fields are said. */
function nameOf({ organization, principal }: Call, asked: Asked): string {
  const fields = Object.entries({ ...asked, ...unasked }).toSorted(([left], [right]) => (left < right ? -1 : 1))
  const text = JSON.stringify([organization, principal.user, principal.kind, fields])
  return createHash('sha256').update(text).digest('base64')
}

const first = { after: null, offset: 0 }

/** What a search is asked beside what items must be. */
interface Asked extends StacSearchInput {
  readonly base_url: string
  readonly link_method: 'POST' | 'GET'
  readonly page: number
  readonly limit: number
}

/** One page of a search over all that the caller can see, as a FeatureCollection with the exact count of all. */
export const searchPage = (call: Call, input: Asked): Promise<WrittenAnswer> =>
  pageAt(searchPlace(linkBase(call, input.base_url)), call, input, input)

/**
 * The same for pages that are asked for elsewhere.
 *
 * @param asked what the address of another page says.
 */
export async function pageAt(place: Place, call: Call, input: Asked, asked: object): Promise<WrittenAnswer> {
  const base = linkBase(call, input.base_url)
  const read = readStacSearch(input)
  const { page, limit } = input
  const now = call.clock.now()
  const start = page === 0 ? first : pages.startOf(nameOf(call, input), page, limit, now)
  const search = { ...read, projects: readableProjects(call), limit, ...start }
  const fit = (fitting: number): number => countablePage(page * limit, fitting)
  const { features, returned, matched, next } = await findFeatures(call, search, base, { fit })
  // Pages are counted: after one that ended early the others have its size.
  const size = next === null ? limit : returned
  const following =
    next === null ? null : { page: (page * limit) / size + 1, ...(size === limit ? {} : { limit: size }) }
  if (next && following) pages.note(nameOf(call, { ...input, limit: size }), following.page, next, now)
  const context = { returned, matched, page, pages: Math.ceil(matched / limit) }
  const links = [rootLink(base), ...pageLinks(place, input.link_method, { ...asked }, following)]
  return written(
    '{"type":"FeatureCollection","features":[',
    features,
    `],"context":${JSON.stringify(context)},"numberMatched":${matched},"numberReturned":${returned},"links":${JSON.stringify(links)}}`,
  )
}
