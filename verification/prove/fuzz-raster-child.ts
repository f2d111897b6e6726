import { readFileSync, writeFileSync } from 'node:fs'
import { damagedInput, readCases } from './fuzz-raster-input.ts'
import { tryInput } from './fuzz-raster-try.ts'

/** The child's report on one input. */
export interface ChildReport {
  readonly number: number
  readonly name: string
  readonly damage: string
  readonly opened: boolean
  readonly violation: string | null
}

const max_growth_bytes = 268_435_456

/** Resident memory now, and its peak since the last reset, on systems that can reset it. */
function residentBytes(): { now: number; peak: number } {
  try {
    const status = readFileSync('/proc/self/status', 'utf8')
    const bytes = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)![1]) * 1024
    return { now: bytes('VmRSS'), peak: bytes('VmHWM') }
  } catch {
    return { now: process.memoryUsage().rss, peak: process.resourceUsage().maxRSS * 1024 }
  }
}

function resetPeakMemory(): void {
  try {
    writeFileSync('/proc/self/clear_refs', '5')
  } catch {
    // Other systems only know the peak since the start of the process.
  }
}

/** Tries the inputs from `first` up to `last`, not included, and reports each. */
async function main(): Promise<void> {
  const [seed, first, last] = process.argv.slice(2).map(Number) as [number, number, number]
  const cases = readCases()
  for (let number = first; number < last; number++) {
    const { name, damage, bytes } = damagedInput(cases, seed, number)
    resetPeakMemory()
    const before = residentBytes()
    const { opened, violation } = await tryInput(bytes)
    const after = residentBytes()
    const growth_bytes = after.peak - before.now
    const memory =
      growth_bytes > max_growth_bytes && after.peak > before.peak
        ? `${Math.round(growth_bytes / 1_048_576)} MiB were allocated`
        : null
    const report: ChildReport = { number, name, damage, opened, violation: violation ?? memory }
    await new Promise<void>((resolve) => process.send!(report, undefined, undefined, () => resolve()))
  }
  process.disconnect()
}

await main()
