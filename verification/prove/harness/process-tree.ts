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

/** CPU time in seconds that a process and its descendants have used in user and kernel mode. */
export async function readCpuTime(pid: number): Promise<number> {
  const times = await Promise.all(
    (await listProcessTree(pid)).map(async (id) => {
      const stat = await readFile(`/proc/${id}/stat`, 'utf8').catch(() => '')
      // The name of the program, in parentheses, may have spaces.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return stat === '' ? 0 : (Number(fields[11]) + Number(fields[12])) / ticks_per_s
    }),
  )
  return times.reduce((sum, time) => sum + time, 0)
}
