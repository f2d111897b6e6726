import { existsSync } from 'node:fs'
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listProcessTree } from '../../prove/harness/process-tree.ts'

/** In which a process gets its share. */
const period_us = 100_000
/** The time slice that a processor takes of a share: the default of 5 ms would exceed a small share. */
const slice_us = 500
const sliceFile = '/proc/sys/kernel/sched_cfs_bandwidth_slice_us'
const root = '/sys/fs/cgroup'

/** Where control groups of the processor are, and the files that set their quota: of version 2, or of version 1. */
const hierarchies = [
  {
    folder: root,
    probe: 'cgroup.controllers',
    quota: (share: number) => ({ 'cpu.max': `${Math.round(share * period_us)} ${period_us}` }),
  },
  {
    folder: join(root, 'cpu'),
    probe: 'cpu.cfs_quota_us',
    quota: (share: number) => ({
      'cpu.cfs_period_us': String(period_us),
      'cpu.cfs_quota_us': String(Math.round(share * period_us)),
    }),
  },
] as const

/** Ends the limits. */
type EndProcessorShares = () => Promise<void>

/**
 * Limits each process, with all its threads and all processes that it has started or will start, to a share of one core by a control
 * group of Linux, as containers are limited; 0 is no limit. Needs root. Throws if there are no control groups of the processor.
 */
export async function limitProcesses(pids: readonly number[], share: number): Promise<EndProcessorShares> {
  if (share === 0) return async () => {}
  const ends = await Promise.all(pids.map((pid) => limitProcess(pid, share)))
  const endSlice = await setSlice()
  return async () => {
    for (const end of [...ends, endSlice]) await end()
  }
}

async function setSlice(): Promise<EndProcessorShares> {
  const previous = await readFile(sliceFile, 'utf8')
  await writeFile(sliceFile, String(slice_us))
  return () => writeFile(sliceFile, previous)
}

async function limitProcess(pid: number, share: number): Promise<EndProcessorShares> {
  const hierarchy = hierarchies.find(({ folder, probe }) => existsSync(join(folder, probe)))
  if (!hierarchy) throw new Error('there are no control groups of the processor: --share 0 measures without limits')
  const group = join(hierarchy.folder, `swath-bench-${pid}`)
  await mkdir(group)
  for (const [name, value] of Object.entries(hierarchy.quota(share))) await writeFile(join(group, name), value)
  await writeFile(join(group, 'cgroup.procs'), String(pid))
  // Those that it had started: later ones begin in its group.
  await moveProcesses(await listProcessTree(pid), group)
  return async () => {
    // The process first, which starts the others.
    await moveProcesses([pid], hierarchy.folder)
    for (let left = await listMembers(group); left.length > 0; left = await listMembers(group))
      await moveProcesses(left, hierarchy.folder)
    await rmdir(group)
  }
}

const listMembers = async (group: string): Promise<number[]> =>
  (await readFile(join(group, 'cgroup.procs'), 'utf8')).split('\n').filter(Boolean).map(Number)

/** One that has ended is in no group. */
async function moveProcesses(pids: readonly number[], group: string): Promise<void> {
  for (const pid of pids) await writeFile(join(group, 'cgroup.procs'), String(pid)).catch(() => {})
}
