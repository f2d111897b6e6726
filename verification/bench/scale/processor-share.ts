import { existsSync } from 'node:fs'
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

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
 * Limits each process with all its threads to a share of one core by a control group of Linux, as containers are limited; 0 is no
 * limit. Needs root. Throws if there are no control groups of the processor.
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
  const files = { ...hierarchy.quota(share), 'cgroup.procs': String(pid) }
  for (const [name, value] of Object.entries(files)) await writeFile(join(group, name), value)
  return async () => {
    await writeFile(join(hierarchy.folder, 'cgroup.procs'), String(pid)).catch(() => {})
    await rmdir(group)
  }
}
