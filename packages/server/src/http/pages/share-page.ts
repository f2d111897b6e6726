import { createHash } from 'node:crypto'
import type { SharedItem } from '@swath/contract/schemas/share-link.ts'
import type { TileJson } from '@swath/contract/schemas/tilejson.ts'
import { findTileAt, type Tile } from '@swath/geo/tile-grid.ts'
import { escapeHtml } from '../../platform/html/escape-html.ts'
import { renderFootprintSvg } from './footprint-svg.ts'

const style = `
  :root { color-scheme: light dark }
  body { font: 17px/1.5 system-ui, sans-serif; max-width: 42rem; margin: 0 auto; padding: 2rem 1.2rem }
  h1 { font-size: 1.4rem; line-height: 1.3 }
  h2 { font-size: 1.1rem; margin-bottom: .2rem }
  form { display: grid; gap: .8rem; max-width: 24rem }
  input, button { font: inherit; padding: .7rem; border-radius: .5rem; border: 1px solid #8888 }
  .tiles { display: grid; width: max-content; max-width: 100% }
  .across { grid-template-columns: auto auto }
  .tiles img { width: 100%; max-width: 256px; display: block }
  svg { max-width: 100%; fill: #0b5fff33; stroke: #0b5fff }
  small, .facts { opacity: .75 }`

/** No external resources, no scripts, and only the inline style with this hash. */
export const shareContentSecurityPolicy = `default-src 'none'; img-src 'self'; style-src 'sha256-${createHash('sha256')
  .update(style)
  .digest('base64')}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`

/** The policy of the page with its script: its own files and calls of this server only, nothing inline. */
export const sharePageContentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // Icons in the style sheet of MapLibre are data URLs.
  "img-src 'self' blob: data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** A page of a share link that needs no script. */
export interface SharePage {
  readonly title: string
  /** HTML below the title. */
  readonly body: string
}

/** The page as a document of its own. */
export const renderSharePage = ({ title, body }: SharePage): string =>
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
  `<meta name="robots" content="noindex, nofollow"><title>${escapeHtml(title)}</title><style>${style}</style></head>` +
  `<body><h1>${escapeHtml(title)}</h1>${body}</body></html>`

/** The reason why a page cannot be opened, for its script; null if only the password is missing. */
export interface ShareRefusal {
  readonly problem: string
  readonly retry_after_s: string | null
}

/**
 * The page within the document of the script, which takes its place; without scripts the page is all there is.
 *
 * @param template the built `share.html` of the console.
 */
export function fillShareDocument(template: string, { title, body }: SharePage, refusal: ShareRefusal | null): string {
  const values: Readonly<Record<string, string>> = {
    title: escapeHtml(title),
    content: `<main class="message"><h1>${escapeHtml(title)}</h1>${body}</main>`,
    problem: escapeHtml(refusal?.problem ?? ''),
    retry_after_s: escapeHtml(refusal?.retry_after_s ?? ''),
  }
  return template.replaceAll(/\{\{(\w+)\}\}/g, (placeholder, name: string) => values[name] ?? placeholder)
}

const renderExpiry = (expires_at: Date): string => {
  const [day = '', time = ''] = expires_at.toISOString().split('T')
  return `<p class="facts">The link expires on <time datetime="${expires_at.toISOString()}">${day} at ${time.slice(0, 5)} UTC</time>.</p>`
}

/** A page with a title and a message. */
export const createShareMessagePage = (title: string, message: string): SharePage => ({
  title,
  body: `<p>${escapeHtml(message)}</p>`,
})

/** The page that asks for the password of a link. */
export const createSharePasswordPage = (errorMessage: string | null): SharePage => ({
  title: 'Shared imagery',
  body:
    `<p>${escapeHtml(errorMessage ?? 'Enter the password that came with the link.')}</p>` +
    '<form method="post"><label for="password">Password</label>' +
    '<input id="password" name="password" type="password" required autocomplete="off" maxlength="1000">' +
    '<button>Open</button></form>',
})

/** The data of the page of an opened link. */
export interface SharePageData {
  /** The session token of the visitor, part of the tile and file URLs. */
  readonly session: string
  readonly expires_at: Date
  readonly permission: string
  readonly items: readonly SharedItem[]
  readonly total: number
  /** Null if nothing can be rendered. */
  readonly tiles: TileJson | null
}

/** The page of an opened link: items with footprints, a tile image, the downloadable files, and when the link expires. */
export function createSharedContentPage(data: SharePageData): SharePage {
  const { items, total, tiles, expires_at } = data
  const title = tiles?.name ?? items[0]?.name ?? 'Shared imagery'
  const description = tiles?.description ?? null
  const truncationNote =
    total > items.length ? `<p class="facts">${items.length} of ${total} items are listed.</p>` : ''
  const body =
    (description === null ? '' : `<p>${escapeHtml(description)}</p>`) +
    renderExpiry(expires_at) +
    (tiles ? renderTiles(tiles) : '') +
    renderFootprintSvg(items.map(({ geometry }) => geometry)) +
    items.map((item) => renderItem(data, item)).join('') +
    truncationNote
  return { title, body }
}

const max_tiles_per_side = 2

/** The tiles that cover the bounds at the highest zoom level with at most two by two tiles. */
function renderTiles({ bounds, maxzoom, tiles: [template] }: TileJson): string {
  const [west = 0, south = 0, east = 0, north = 0] = bounds ?? []
  const corners = (z: number): [Tile, Tile] => [findTileAt(west, north, z), findTileAt(east, south, z)]
  let z = Math.min(maxzoom ?? 0, 22)
  const isTooWide = ([first, last]: [Tile, Tile]): boolean =>
    last.x - first.x >= max_tiles_per_side || last.y - first.y >= max_tiles_per_side
  while (z > 0 && isTooWide(corners(z))) z--
  const [first, last] = corners(z)
  if (!template || isTooWide([first, last])) return ''
  const images: string[] = []
  for (let y = first.y; y <= last.y; y++)
    for (let x = first.x; x <= last.x; x++) {
      const tileUrl = template.replace('{z}', String(z)).replace('{x}', String(x)).replace('{y}', String(y))
      const { pathname, search } = new URL(tileUrl)
      images.push(`<img src="${escapeHtml(`${pathname}${search}`)}" width="256" height="256" alt="">`)
    }
  return `<div class="tiles${last.x > first.x ? ' across' : ''}">${images.join('')}</div>`
}

function renderItem({ session, permission }: SharePageData, item: SharedItem): string {
  const time = item.datetime ?? item.start_datetime
  const files = permission === 'download' ? item.assets.filter(({ ready }) => ready) : []
  const links = files.map(({ id, key, title, media_type, file_size_bytes }) => {
    const query = new URLSearchParams({ token: session, item_id: item.id, asset_id: id })
    const size = file_size_bytes === null ? '' : `, ${formatSize(file_size_bytes)}`
    return (
      `<li><a href="/share/download?${escapeHtml(query.toString())}" rel="nofollow noreferrer">${escapeHtml(title ?? key)}</a>` +
      ` <small>${escapeHtml(media_type)}${size}</small></li>`
    )
  })
  return (
    `<section><h2>${escapeHtml(item.name)}</h2>` +
    (item.description ? `<p>${escapeHtml(item.description)}</p>` : '') +
    (time ? `<p class="facts">Acquired on ${escapeHtml(time.slice(0, 10))}</p>` : '') +
    (item.attribution ? `<p class="facts">${escapeHtml(item.attribution)}</p>` : '') +
    (links.length > 0 ? `<ul>${links.join('')}</ul>` : '') +
    '</section>'
  )
}

const units = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const

function formatSize(bytes: number): string {
  const step = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1)
  return `${(bytes / 1000 ** step).toFixed(step === 0 ? 0 : 1)} ${units[step]}`
}
