import { textsOf, written, type Entries, type WrittenAnswer } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import { findFeatures } from '../items/found-features.ts'
import { countablePage } from '../items/page-size.ts'
import { linkBase } from '../items/link-base.ts'
import type { ReadSearch } from '../items/search.ts'
import { searchedProjects } from '../projects/access.ts'
import { pageLinks, rootLink, searchPlace, type Place } from './links.ts'
import { readPageStart, writePageStart, type Boundary } from './page-start.ts'
import { pickFields, type FieldChoice } from './pick-fields.ts'

/** The parameters of a search page, apart from the conditions. */
export interface Asked {
  readonly base_url: string
  readonly link_method: 'POST' | 'GET'
  readonly page: number
  readonly limit: number
  readonly token?: string | null
  readonly fields?: FieldChoice
}

/** A page of a search over all visible items, as a FeatureCollection with the exact count of matches. */
export const searchPage = (call: Call, input: Asked, read: ReadSearch): Promise<WrittenAnswer> =>
  pageAt(searchPlace(linkBase(call, input.base_url)), call, input, input, read)

/**
 * The same for pages with other URLs.
 *
 * @param linkFields the fields in links to other pages.
 * @param parsed the conditions.
 */
export async function pageAt(
  place: Place,
  call: Call,
  input: Asked,
  asked: object,
  read: ReadSearch,
): Promise<WrittenAnswer> {
  const base = linkBase(call, input.base_url)
  const { page, limit } = input
  const search = { ...read, projects: searchedProjects(call), limit, ...readPageStart(call, input) }
  const fit = (fitting: number): number => countablePage(page * limit, fitting)
  const { features, returned, matched, next } = await findFeatures(call, search, base, { fit })
  const following = next && followingPage(call, input, returned, next)
  const context = { returned, matched, page, pages: Math.ceil(matched / limit) }
  const links = [rootLink(base), ...pageLinks(place, input.link_method, { ...asked }, following)]
  return written(
    '{"type":"FeatureCollection","features":[',
    input.fields === undefined ? features : cut(features, input.fields),
    `],"context":${JSON.stringify(context)},"numberMatched":${matched},"numberReturned":${returned},"links":${JSON.stringify(links)}}`,
  )
}

/** The fields of the next page. Pages are numbered: after a page that ended early, the others have its size. */
function followingPage(call: Call, input: Asked, returned: number, next: Boundary): Readonly<Record<string, unknown>> {
  const { page, limit } = input
  const at = { page: (page * limit) / returned + 1, ...(returned === limit ? {} : { limit: returned }) }
  return { ...at, token: writePageStart(call, { ...input, ...at }, next) }
}

const cut = (features: Entries, fields: FieldChoice): Entries => ({
  texts: textsOf(features),
  turn: (text) => JSON.stringify(pickFields(JSON.parse(text) as Record<string, unknown>, fields)),
})
