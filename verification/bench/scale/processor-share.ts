import { existsSync } from 'node:fs'
import { mkdir, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** In which a process gets its share: the kernel counts in steps of some milliseconds, so a shorter one would not be kept. */
const period_us = 500_000
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

/** Gives the share back. */
export type EndProcessorShare = () => Promise<void>

/**
 * Limits a process with all its threads to a share of one core by a control group of Linux, as containers are limited. Needs
 * root. Throws if there are no control groups of the processor.
 */
export async function limitProcessor(pid: number, share: number): Promise<EndProcessorShare> {
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
