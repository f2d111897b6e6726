import type { Client } from '../client.ts'
import type { Asset } from '../operations.ts'
import { toRemoteFile } from './download-asset.ts'
import { downloadFile, type DownloadOptions, type DownloadProgress } from './download-file.ts'
import { TransferError } from './errors.ts'
import { extensionByMediaType } from './file-extensions.ts'
import type { FilePath, FolderTarget } from './folder-target.ts'
import { forEachParallel } from './for-each-parallel.ts'
import { assignSafeNames } from './safe-names.ts'

/** An item whose files are downloaded; its name is that of the folder. */
export interface NamedItem {
  readonly id: string
  readonly name: string
}

export interface FolderProgress {
  readonly done_files: number
  readonly total_files: number
  readonly done_bytes: number
  readonly total_bytes: number
}

export interface FolderDownloadOptions extends Omit<DownloadOptions, 'onProgress'> {
  /** Files that are downloaded at once; default 3. */
  readonly parallel_files?: number
  /** `size` trusts files of the right size that are in the folder already; by default their checksums are verified. */
  readonly verify?: 'checksum' | 'size'
  /** Only these assets; default all that have their bytes in storage. */
  readonly filter?: (asset: Asset) => boolean
  readonly onProgress?: (progress: FolderProgress) => void
  readonly onFile?: (file: DownloadedFile) => void
}

export interface DownloadedFile {
  readonly path: FilePath
  readonly item_id: string
  readonly asset_id: string
  /** `present`: the file was there already, and is whole. */
  readonly state: 'downloaded' | 'present' | 'failed'
  readonly bytes: number
  /** Null if it failed. */
  readonly sha256: string | null
  /** Why it failed. */
  readonly error: unknown
}

/** Some files of a folder could not be downloaded; the others are there. */
export class FolderDownloadError extends TransferError {
  readonly files: readonly DownloadedFile[]

  constructor(files: readonly DownloadedFile[]) {
    const failed = files.filter(({ state }) => state === 'failed')
    const reason = failed[0]?.error instanceof Error ? failed[0].error.message : String(failed[0]?.error)
    super(
      `${failed.length} of ${files.length} files were not downloaded, ${failed[0]?.path.join('/')} because: ${reason}`,
    )
    this.files = files
  }
}

const default_parallel_files = 3
const parallel_lists = 4

/** A file to be downloaded, and its place. */
interface PlannedFile {
  readonly asset: Asset
  readonly path: FilePath
}

/**
 * Downloads the files of items into a folder with one folder for each item. A file that is there already is verified and left, one
 * that differs is replaced, and one that was interrupted goes on. All files are tried.
 *
 * Throws `FolderDownloadError` if files failed, and the reason of the signal.
 */
export async function downloadItems(
  client: Client,
  items: readonly NamedItem[],
  folder: FolderTarget,
  options: FolderDownloadOptions = {},
): Promise<DownloadedFile[]> {
  const planned = await planFiles(client, items, options)
  const done: DownloadedFile[] = []
  const tell = createFolderProgress(planned, options)
  await forEachParallel(planned, options.parallel_files ?? default_parallel_files, async (file) => {
    const result = await downloadOne(client, file, folder, { ...options, onProgress: tell.onBytes(file) })
    options.signal?.throwIfAborted()
    done.push(result)
    tell.onFile(file)
    options.onFile?.(result)
  })
  if (done.some(({ state }) => state === 'failed')) throw new FolderDownloadError(done)
  return done
}

async function planFiles(
  client: Client,
  items: readonly NamedItem[],
  { filter = () => true, signal }: FolderDownloadOptions,
): Promise<PlannedFile[]> {
  const folders = assignSafeNames(items, ({ name }) => name)
  const planned: PlannedFile[] = []
  await forEachParallel(items, parallel_lists, async ({ id: item_id, name }) => {
    const { assets } = await client.call('items.list_assets', { item_id }, { signal })
    const names = assignSafeNames(assets, (asset) => fileName(name, asset))
    const wanted = assets.filter((asset) => asset.ready && filter(asset))
    planned.push(...wanted.map((asset) => ({ asset, path: [folders.get(item_id)!, names.get(asset.id)!] })))
  })
  return planned
}

/** As the platform names the files of its archives: the item, the key unless it is `data`, and an extension. */
function fileName(item: string, { key, media_type }: Asset): string {
  const type = (media_type.split(';')[0] ?? '').trim().toLowerCase()
  const extension = Object.hasOwn(extensionByMediaType, type) ? extensionByMediaType[type]! : 'bin'
  const stem = `${item}${key === 'data' ? '' : `-${key}`}`
  return `${stem.toLowerCase().endsWith(`.${extension}`) ? stem.slice(0, -extension.length - 1) : stem}.${extension}`
}

async function downloadOne(
  client: Client,
  { asset, path }: PlannedFile,
  folder: FolderTarget,
  options: DownloadOptions & Pick<FolderDownloadOptions, 'verify'>,
): Promise<DownloadedFile> {
  const common = { path, item_id: asset.item_id, asset_id: asset.id, error: null }
  try {
    const remote = toRemoteFile(client, asset, options.signal)
    const present = await folder.find(path)
    if (present && present.size_bytes === remote.size_bytes) {
      const { size_bytes: bytes } = present
      if (options.verify === 'size') return { ...common, state: 'present', bytes, sha256: remote.sha256 }
      const sha256 = await present.computeSha256()
      if (remote.sha256 === null || sha256 === remote.sha256) return { ...common, state: 'present', bytes, sha256 }
    }
    return { ...common, state: 'downloaded', ...(await downloadFile(remote, folder.file(path), options)) }
  } catch (error) {
    return { ...common, state: 'failed', bytes: 0, sha256: null, error }
  }
}

/** Adds the progress of files that are downloaded at the same time. */
function createFolderProgress(planned: readonly PlannedFile[], { onProgress }: FolderDownloadOptions) {
  const bytesByFile = new Map<PlannedFile, number>()
  const total_bytes = planned.reduce((sum, { asset }) => sum + (asset.file_size_bytes ?? 0), 0)
  let [done_files, done_bytes] = [0, 0]
  const setBytes = (file: PlannedFile, bytes: number): void => {
    done_bytes += bytes - (bytesByFile.get(file) ?? 0)
    bytesByFile.set(file, bytes)
    onProgress?.({ done_files, total_files: planned.length, done_bytes, total_bytes })
  }
  return {
    onBytes: (file: PlannedFile) => (progress: DownloadProgress) => setBytes(file, progress.done_bytes),
    onFile: (file: PlannedFile): void => {
      done_files++
      setBytes(file, file.asset.file_size_bytes ?? 0)
    },
  }
}
