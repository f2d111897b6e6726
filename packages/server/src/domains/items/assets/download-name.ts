import { extensionByMediaType } from '@swath/contract/file-extensions.ts'
import type { AssetRow } from './store.assets.ts'
import type { ItemRow } from '../store.ts'

/** The file name of a downloaded asset: item name, key unless `data`, and extension; ASCII characters only. */
export function formatDownloadFileName(
  item: Pick<ItemRow, 'name'>,
  asset: Pick<AssetRow, 'key' | 'media_type'>,
): string {
  const type = (asset.media_type.split(';')[0] ?? '').trim().toLowerCase()
  const extension = Object.hasOwn(extensionByMediaType, type) ? extensionByMediaType[type]! : 'bin'
  const stem = `${item.name}${asset.key === 'data' ? '' : `-${asset.key}`}`
  const plain = stem
    .replace(new RegExp(`\\.${extension}$`, 'i'), '')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replaceAll(/^[.-]+|(?<![.-])[.-]+$/g, '')
    .slice(0, 150)
  return `${plain || 'asset'}.${extension}`
}
