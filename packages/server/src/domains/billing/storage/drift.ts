import type { StoredBytes } from '../../usage/stored-bytes.ts'

/** An asset whose bytes lie with us, and where. */
export interface StoredAsset {
  readonly asset_id: string
  readonly object_path: string
}

/**
 * How the journal of stored bytes and the storage can disagree: bytes lie there and the journal holds none; it holds
 * bytes and nothing lies there; it fell below zero; both have bytes, and not as many.
 */
export type DriftKind = 'missing' | 'stale' | 'negative' | 'drift'

export interface Drift {
  /** Null for what the journal says of the organization as a whole, which no object answers to. */
  readonly asset_id: string | null
  readonly object_path: string
  readonly journal_bytes: number
  readonly stored_bytes: number
  readonly kind: DriftKind
}

export interface Comparison {
  readonly journal_bytes: number
  readonly stored_bytes: number
  /** By path; their differences add up to that of the two sums above. */
  readonly drifts: readonly Drift[]
}

/** The size of the object at each path that was looked at; null where nothing lies. */
export type ObjectSizes = ReadonlyMap<string, number | null>

/** What both sides say of one asset at one path. */
interface Line {
  readonly asset_id: string | null
  readonly object_path: string
  readonly journal_bytes: number
  /** Null where nothing lies. */
  readonly size: number | null
}

/** Null where both agree. */
function kindOf({ journal_bytes, size }: Line): DriftKind | null {
  if (journal_bytes === (size ?? 0)) return null
  if (journal_bytes < 0) return 'negative'
  if (journal_bytes === 0) return 'missing'
  return size === null ? 'stale' : 'drift'
}

const keyOf = (line: Pick<Line, 'asset_id' | 'object_path'>): string => `${line.object_path} ${line.asset_id ?? ''}`

function linesOf(assets: readonly StoredAsset[], journal: readonly StoredBytes[], sizes: ObjectSizes): Line[] {
  const lines = new Map<string, Line>()
  for (const { bytes, ...where } of journal) lines.set(keyOf(where), { ...where, journal_bytes: bytes, size: null })
  for (const { asset_id, object_path } of assets) {
    const key = keyOf({ asset_id, object_path })
    const size = sizes.get(object_path)
    const journal_bytes = lines.get(key)?.journal_bytes ?? 0
    if (size === undefined) lines.delete(key)
    else lines.set(key, { asset_id, object_path, journal_bytes, size })
  }
  return [...lines].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, line]) => line)
}

/**
 * Compares the journal with what lies in the storage, asset by asset. An asset that is not among those given (deleted)
 * has nothing in the storage, whether its object was removed or not; one whose path was not looked at is left out.
 */
export function compare(
  assets: readonly StoredAsset[],
  journal: readonly StoredBytes[],
  sizes: ObjectSizes,
): Comparison {
  const lines = linesOf(assets, journal, sizes)
  return {
    journal_bytes: lines.reduce((sum, line) => sum + line.journal_bytes, 0),
    stored_bytes: lines.reduce((sum, line) => sum + (line.size ?? 0), 0),
    drifts: lines.flatMap((line): Drift[] => {
      const kind = kindOf(line)
      const { size, ...rest } = line
      return kind ? [{ ...rest, stored_bytes: size ?? 0, kind }] : []
    }),
  }
}
