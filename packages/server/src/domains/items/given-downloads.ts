import type { AssetDownload } from '@swath/contract/shapes/asset.ts'
import { limits } from '@swath/contract/limits.ts'

const kept = 20_000
/** What is left of an address that is given once more: enough to ask for it, and for what follows. */
const least_seconds = 300

interface Given {
  readonly download: AssetDownload
  readonly ends: number
}

/**
 * Remembers the signed addresses that were given out, each under a name that says to whom and for what, so that who reads
 * a file in parts is led to the same address for each. Bounded by their number and by their time.
 */
export function rememberGiven(capacity = kept) {
  const given = new Map<string, Given>()
  return {
    /** The address that was given under the name, with what is left of its time; null where that is too little. */
    find(name: string, now: Date): AssetDownload | null {
      const known = given.get(name)
      if (known === undefined) return null
      const left = Math.floor((known.ends - now.getTime()) / 1000)
      if (left >= least_seconds) return { ...known.download, expires_in_seconds: left }
      given.delete(name)
      return null
    },
    note(name: string, download: AssetDownload, now: Date): void {
      given.delete(name)
      given.set(name, { download, ends: now.getTime() + limits.signed_url_seconds * 1000 })
      const [oldest] = given.keys()
      if (given.size > capacity && oldest !== undefined) given.delete(oldest)
    },
  }
}
