import type { StoredBytes } from '../store.ts'

/** A file in this server's storage. */
export interface StoredObjectFile {
  /** Null for a file that belongs to no asset, such as that of a report. */
  readonly asset_id: string | null
  readonly object_path: string
}

/**
 * The kinds of differences between the storage journal and the object storage: an object exists and the journal has no
 * bytes (`missing`); the journal has bytes and no object exists (`stale`); the journal sum is negative; or both have
 * different sizes (`drift`).
 */
export type StoredBytesDriftKind = 'missing' | 'stale' | 'negative' | 'drift'

export interface StoredBytesDrift {
  /** Null for files that belong to no asset, and for journal rows of the organization as a whole, which have no object. */
  readonly asset_id: string | null
  readonly object_path: string
  readonly journal_bytes: number
  readonly stored_bytes: number
  readonly kind: StoredBytesDriftKind
}

export interface StorageComparison {
  readonly journal_bytes: number
  readonly stored_bytes: number
  /** The drifts by path; their differences sum to the difference of the two totals. */
  readonly drifts: readonly StoredBytesDrift[]
}

/** The size of the object at each inspected path; null if there is no object. */
export type ObjectSizes = ReadonlyMap<string, number | null>

/** The journal bytes and the object size of one asset at one path. */
interface ComparisonLine {
  readonly asset_id: string | null
  readonly object_path: string
  readonly journal_bytes: number
  /** Null if there is no object. */
  readonly size: number | null
}

/** Null if both are equal. */
function classifyDrift({ journal_bytes, size }: ComparisonLine): StoredBytesDriftKind | null {
  if (journal_bytes === (size ?? 0)) return null
  if (journal_bytes < 0) return 'negative'
  if (journal_bytes === 0) return 'missing'
  return size === null ? 'stale' : 'drift'
}

const lineKey = (line: Pick<ComparisonLine, 'asset_id' | 'object_path'>): string =>
  `${line.object_path} ${line.asset_id ?? ''}`

function joinLines(
  assets: readonly StoredObjectFile[],
  journal: readonly StoredBytes[],
  sizes: ObjectSizes,
): ComparisonLine[] {
  const lines = new Map<string, ComparisonLine>()
  for (const { bytes, ...location } of journal)
    lines.set(lineKey(location), { ...location, journal_bytes: bytes, size: null })
  for (const { asset_id, object_path } of assets) {
    const key = lineKey({ asset_id, object_path })
    const size = sizes.get(object_path)
    const journal_bytes = lines.get(key)?.journal_bytes ?? 0
    if (size === undefined) lines.delete(key)
    else lines.set(key, { asset_id, object_path, journal_bytes, size })
  }
  return [...lines].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, line]) => line)
}

/**
 * Compares the storage journal with the object storage, asset by asset. An asset that is not in `assets` (deleted) counts
 * as having no object, even if the object still exists; one whose path was not inspected is skipped.
 */
export function compareStorageJournalWithObjects(
  assets: readonly StoredObjectFile[],
  journal: readonly StoredBytes[],
  sizes: ObjectSizes,
): StorageComparison {
  const lines = joinLines(assets, journal, sizes)
  return {
    journal_bytes: lines.reduce((sum, line) => sum + line.journal_bytes, 0),
    stored_bytes: lines.reduce((sum, line) => sum + (line.size ?? 0), 0),
    drifts: lines.flatMap((line): StoredBytesDrift[] => {
      const kind = classifyDrift(line)
      const { size, ...rest } = line
      return kind ? [{ ...rest, stored_bytes: size ?? 0, kind }] : []
    }),
  }
}
