import { readdir, readFile } from 'node:fs/promises'

const look_ms = 250

export interface MemoryWatch {
  /** Peak resident memory of the process and its children in bytes; null on systems that do not report it. */
  peak(): Promise<number | null>
  stop(): void
}

/**
 * Watches a process and its children by the peak memory that Linux records for each (`VmHWM`): the sum is an upper bound of
 * their combined peak.
 */
export function watchMemory(pid: number): MemoryWatch {
  let most: number | null = null
  const look = async (): Promise<void> => {
    const marks = await Promise.all((await familyOf(pid)).map(markOf))
    const sum = marks.reduce<number>((bytes, mark) => bytes + (mark ?? 0), 0)
    if (sum > 0) most = Math.max(most ?? 0, sum)
  }
  const timer = setInterval(() => void look().catch(() => {}), look_ms)
  return {
    peak: async () => {
      await look().catch(() => {})
      return most
    },
    stop: () => clearInterval(timer),
  }
}

/** The process and all its descendants. */
async function familyOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => [])
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => '')),
  )
  const children = lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number))
  return [pid, ...(await Promise.all(children.map(familyOf))).flat()]
}

async function markOf(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const found = /^VmHWM:\s+(\d+) kB$/m.exec(status)
  return found ? Number(found[1]) * 1024 : null
}
