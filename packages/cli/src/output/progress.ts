import type { CommandContext } from '../context.ts'

/** Shows how far something is, on one line of a terminal; nothing elsewhere. */
export interface Progress {
  update(done: number, total: number | null): void
  end(): void
}

const min_interval_ms = 100
const bar_width = 24

/** `unit` formats an amount, such as bytes. */
export function createProgress({ stderr }: CommandContext, label: string, unit = formatBytes): Progress {
  if (!stderr.isTTY) return { update: () => undefined, end: () => undefined }
  let drawn_at_ms = 0
  return {
    update(done, total) {
      const now = performance.now()
      if (now - drawn_at_ms < min_interval_ms && done !== total) return
      drawn_at_ms = now
      const share = total ? Math.min(1, done / total) : 0
      const filled = Math.round(share * bar_width)
      const bar = total ? `${'█'.repeat(filled)}${'░'.repeat(bar_width - filled)} ${Math.round(share * 100)} % ` : ''
      stderr.write(`\r\u001B[K${label} ${bar}${unit(done)}${total ? ` of ${unit(total)}` : ''}`)
    },
    end: () => void stderr.write('\r\u001B[K'),
  }
}

const units = ['B', 'kB', 'MB', 'GB', 'TB']

/** Decimal units, as disks and networks are measured. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  return `${power === 0 ? bytes : (bytes / 1000 ** power).toFixed(1)} ${units[power]}`
}
