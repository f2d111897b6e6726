import { createClient, type Client } from '@swath/client/client.ts'
import type { OutputOf, SharedItem } from '@swath/client/operations.ts'
import { ApiProblem } from '@swath/client/problem.ts'

type TileJson = OutputOf<'share.tilejson'>

/** A visit that the password has opened; it ends after an hour or with the link. */
export interface Visit {
  /** The token of the session, instead of that of the link with its password. */
  readonly token: string
  readonly link_expires_at: string
  readonly permission: 'view' | 'download'
}

export interface SharedPage {
  readonly items: readonly SharedItem[]
  readonly total: number
  readonly next_offset: number | null
}

/** The content of a link. */
export interface SharedContent extends SharedPage {
  /** Null if nothing of it can be rendered. */
  readonly tiles: TileJson | null
}

const page_items = 50

/** Operations for visitors need no token of a person. */
export const createVisitorClient = (): Client => createClient({ baseUrl: location.origin, token: null })

/** Exchanges the password of a link for a visit. Counts as a view of the link. */
export async function openVisit(client: Client, token: string, password: string): Promise<Visit> {
  const session = await client.call('share.session.create', { token, password })
  const { link_expires_at, permission } = session
  return { token: session.token, link_expires_at, permission }
}

export async function readItems(client: Client, { token }: Visit, offset: number): Promise<SharedPage> {
  const { items, total, next_offset } = await client.call('share.items.list', { token, limit: page_items, offset })
  return { items, total, next_offset }
}

/** The first items, and the tiles if there are any. */
export async function readContent(client: Client, visit: Visit): Promise<SharedContent> {
  const [page, tiles] = await Promise.all([
    readItems(client, visit, 0),
    client.call('share.tilejson', { token: visit.token }).catch(nullWithoutTiles),
  ])
  return { ...page, tiles }
}

/** Whatever the server refuses only means that there is no picture: the items decide whether the visit is valid. */
function nullWithoutTiles(error: unknown): null {
  if (error instanceof ApiProblem && error.status < 500) return null
  throw error
}

/** The URL of a file; it expires after some minutes. Throws if the server refuses it. */
export async function issueDownload(client: Client, { token }: Visit, item: string, asset: string): Promise<string> {
  const { url } = await client.call('share.asset.download', { token, item_id: item, asset_id: asset })
  return url
}

/** The path of the tiles of all items or of one, on this server whatever base URL it is configured with. */
export function tilePath({ tiles: [template = ''] }: Pick<TileJson, 'tiles'>, item: string | null): string {
  // The URL parser would escape the braces.
  const path = template.slice(template.indexOf('/', template.indexOf('//') + 2))
  return item === null ? path : `${path}&item_id=${item}`
}
