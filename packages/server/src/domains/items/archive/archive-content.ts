import type { Queryable } from '../../../platform/database/database.ts'
import { Problem } from '../../../engine/problem.ts'
import type { OrganizationTime } from '../../../platform/clock.ts'
import { hasExpired } from '../access.ts'
import { downloadName } from '../download-name.ts'
import { findItem, listItemsOfOrder, type ItemRow } from '../store.ts'
import { assetsOfItems, type AssetRow } from '../store.assets.ts'
import type { ArchiveSubject } from './archive-address.ts'

/** An asset that the archive contains. */
export interface ArchivedAsset {
  readonly path: string
  readonly blob_path: string
  readonly size: number
  readonly asset: AssetRow
}

export interface ArchivedItem {
  readonly item: ItemRow
  readonly files: readonly ArchivedAsset[]
  /** Assets without stored bytes: hosted elsewhere, or not ready. */
  readonly left_out: readonly AssetRow[]
}

/** Maximum number of files in an archive. */
const most_files = 10_000

/** File names reserved by the archive. */
export const manifestName = 'manifest.json'
export const checksumsName = 'SHA256SUMS'

/**
 * The files of an archive in order: those of an item in one folder, those of an order in one folder per item. Deleted
 * and expired items are omitted. Throws `budget-exceeded` for too many files. Checks no permissions.
 */
export async function archiveContent(
  db: Queryable,
  organization: string,
  { type, id }: ArchiveSubject,
  now: OrganizationTime,
): Promise<ArchivedItem[]> {
  const found = type === 'item' ? [await findItem(db, organization, id)] : await listItemsOfOrder(db, organization, id)
  const items = found.filter(
    (item): item is ItemRow => item !== null && item.deleted_at === null && !hasExpired(item, now),
  )
  const ids = items.map((item) => item.id)
  const assets = await assetsOfItems(db, organization, ids)
  const names = uniqueNames([manifestName, checksumsName])
  const content = items.map((item) => {
    const folder = type === 'item' ? '' : `${names(stemOf(item))}/`
    const nameIn = type === 'item' ? names : uniqueNames([])
    return archived(item, assets.get(item.id) ?? [], (asset) => `${folder}${nameIn(downloadName(item, asset))}`)
  })
  const files = content.reduce((sum, entry) => sum + entry.files.length, 0)
  if (files > most_files) {
    throw new Problem('budget-exceeded', `The archive would have ${files} files; the maximum is ${most_files}.`)
  }
  return content
}

function archived(item: ItemRow, assets: readonly AssetRow[], pathOf: (asset: AssetRow) => string): ArchivedItem {
  const files: ArchivedAsset[] = []
  const left_out: AssetRow[] = []
  for (const asset of assets) {
    const { ready, blob_path, file_size_bytes: size } = asset
    if (ready && blob_path !== null && size !== null) files.push({ path: pathOf(asset), blob_path, size, asset })
    else left_out.push(asset)
  }
  return { item, files, left_out }
}

/** The folder name of an item: its main file name without the extension. */
const stemOf = (item: ItemRow): string =>
  downloadName(item, { key: 'data', media_type: 'application/octet-stream' }).replace(/\.bin$/, '')

/** Returns unique names, ignoring case; a duplicate gets a number before its extension. */
function uniqueNames(taken: readonly string[]): (wanted: string) => string {
  const used = new Set(taken.map((name) => name.toLowerCase()))
  return (wanted) => {
    const [, stem = wanted, ending = ''] = /^(.+?)(\.[^.]+)?$/.exec(wanted) ?? []
    for (let number = 1; ; number++) {
      const name = number === 1 ? wanted : `${stem}-${number}${ending}`
      if (used.has(name.toLowerCase())) continue
      used.add(name.toLowerCase())
      return name
    }
  }
}
