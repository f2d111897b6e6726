import type { SqlStatementRunner } from '../../../../platform/database/database.ts'
import { Problem } from '../../../../engine/problem.ts'
import type { OrganizationTime } from '../../../../platform/clock.ts'
import { isItemExpired } from '../../access.ts'
import { formatDownloadFileName } from '../download-name.ts'
import { findItem, listItemsOfOrder, type ItemRow } from '../../store.ts'
import { findAssetsByItem, type AssetRow } from '../store.assets.ts'
import type { ArchiveUrlSubject } from './archive-url.ts'

/** An asset that the archive contains. */
export interface ZipArchiveAsset {
  readonly path: string
  readonly blob_path: string
  readonly size: number
  readonly asset: AssetRow
}

export interface ZipArchiveItem {
  readonly item: ItemRow
  readonly files: readonly ZipArchiveAsset[]
  /** Assets without stored bytes: hosted elsewhere, or not ready. */
  readonly left_out: readonly AssetRow[]
}

/** Maximum number of files in an archive. */
const max_files = 10_000

/** File names reserved by the archive. */
export const manifestFileName = 'manifest.json'
export const checksumsFileName = 'SHA256SUMS'

/**
 * The files of an archive in order: those of an item in one folder, those of an order in one folder per item. Deleted
 * and expired items are omitted. Throws `budget-exceeded` for too many files. Checks no permissions.
 */
export async function listArchiveContent(
  db: SqlStatementRunner,
  organization: string,
  { type, id }: ArchiveUrlSubject,
  now: OrganizationTime,
): Promise<ZipArchiveItem[]> {
  const found = type === 'item' ? [await findItem(db, organization, id)] : await listItemsOfOrder(db, organization, id)
  const items = found.filter(
    (item): item is ItemRow => item !== null && item.deleted_at === null && !isItemExpired(item, now),
  )
  const ids = items.map((item) => item.id)
  const assets = await findAssetsByItem(db, organization, ids)
  const uniqueName = createUniqueNames([manifestFileName, checksumsFileName])
  const content = items.map((item) => {
    const folder = type === 'item' ? '' : `${uniqueName(folderName(item))}/`
    const uniqueFileName = type === 'item' ? uniqueName : createUniqueNames([])
    return toArchivedItem(
      item,
      assets.get(item.id) ?? [],
      (asset) => `${folder}${uniqueFileName(formatDownloadFileName(item, asset))}`,
    )
  })
  const files = content.reduce((sum, entry) => sum + entry.files.length, 0)
  if (files > max_files) {
    throw new Problem('budget-exceeded', `The archive would have ${files} files; the maximum is ${max_files}.`)
  }
  return content
}

function toArchivedItem(
  item: ItemRow,
  assets: readonly AssetRow[],
  pathOf: (asset: AssetRow) => string,
): ZipArchiveItem {
  const files: ZipArchiveAsset[] = []
  const left_out: AssetRow[] = []
  for (const asset of assets) {
    const { ready, blob_path, file_size_bytes: size } = asset
    if (ready && blob_path !== null && size !== null) files.push({ path: pathOf(asset), blob_path, size, asset })
    else left_out.push(asset)
  }
  return { item, files, left_out }
}

/** The folder name of an item: its main file name without the extension. */
const folderName = (item: ItemRow): string =>
  formatDownloadFileName(item, { key: 'data', media_type: 'application/octet-stream' }).replace(/\.bin$/, '')

/** Returns unique names, ignoring case; a duplicate gets a number before its extension. */
function createUniqueNames(reservedNames: readonly string[]): (requestedName: string) => string {
  const used = new Set(reservedNames.map((name) => name.toLowerCase()))
  return (requestedName) => {
    const [, stem = requestedName, extension = ''] = /^(.+?)(\.[^.]+)?$/.exec(requestedName) ?? []
    for (let number = 1; ; number++) {
      const name = number === 1 ? requestedName : `${stem}-${number}${extension}`
      if (used.has(name.toLowerCase())) continue
      used.add(name.toLowerCase())
      return name
    }
  }
}
