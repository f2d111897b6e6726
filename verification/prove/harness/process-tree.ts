import { readdir, readFile } from 'node:fs/promises'

/** The processes that a process has started, also in its threads; Linux alone. */
export async function listChildren(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => [])
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => '')),
  )
  return lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number))
}

/** The process and all its descendants. */
export async function listProcessTree(pid: number): Promise<number[]> {
  const children = await listChildren(pid)
  return [pid, ...(await Promise.all(children.map(listProcessTree))).flat()]
}

const ticks_per_s = 100

/** The fields of `/proc/<pid>/stat` after the name of the program, from the state on; empty for a process that has ended. */
async function readStat(pid: number): Promise<string[]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The name, in parentheses, may have spaces.
  return stat === '' ? [] : stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** The process that has started a process; NaN for one that has ended. */
export const readParent = async (pid: number): Promise<number> => Number((await readStat(pid))[1] ?? NaN)

/** CPU time in seconds that a process and its descendants, also those that have ended, have used in user and kernel mode. */
export async function readCpuTime(pid: number): Promise<number> {
  const times = await Promise.all(
    (await listProcessTree(pid)).map(async (id) => {
      // Of the process itself, and of its children that have ended.
      const ticks = (await readStat(id)).slice(11, 15)
      return ticks.reduce((sum, some) => sum + Number(some), 0) / ticks_per_s
    }),
  )
  return times.reduce((sum, time) => sum + time, 0)
}

/** A number of the status of a process in Linux, such as `VmRSS`; NaN for one that has ended. */
export const readStatusField = (status: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? NaN)

/** Memory of a process in bytes: what is resident (`VmRSS`), or the most that was (`VmHWM`). */
export const readMemoryBytes = async (pid: number, name: 'VmRSS' | 'VmHWM' = 'VmRSS'): Promise<number> =>
  readStatusField(await readFile(`/proc/${pid}/status`, 'utf8').catch(() => ''), name) * 1024

/** The sum over a process and its descendants; 0 if all have ended. */
export async function sumMemoryBytes(pid: number, name: 'VmRSS' | 'VmHWM'): Promise<number> {
  const sizes = await Promise.all((await listProcessTree(pid)).map((id) => readMemoryBytes(id, name)))
  return sizes.reduce((sum, bytes) => sum + (Number.isNaN(bytes) ? 0 : bytes), 0)
}

export interface MemoryWatch {
  /** The most until now, in bytes. */
  peak(): Promise<number>
  stop(): void
}

/** Watches that sum. Of `VmHWM`, which Linux records for each process, it is an upper bound of their combined peak. */
export function watchMemory(pid: number, name: 'VmRSS' | 'VmHWM', interval_ms: number): MemoryWatch {
  let peak_bytes = 0
  const sample = async (): Promise<number> => (peak_bytes = Math.max(peak_bytes, await sumMemoryBytes(pid, name)))
  const timer = setInterval(() => void sample().catch(() => {}), interval_ms)
  return { peak: () => sample(), stop: () => clearInterval(timer) }
}
