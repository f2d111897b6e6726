import { createRequire } from 'node:module'
import type { InitialContent } from './platform/database/embedded/filled-template.ts'
import { migrate, migrationsDir, readMigrations } from './platform/database/migrate.ts'

const queueVersion = (): string =>
  (createRequire(import.meta.url)('pg-boss/package.json') as { version: string }).version

/** Every migration applied and a queue for each kind of task: half of what a first start would do otherwise. */
export const initialContent: InitialContent = {
  versions: async () => [queueVersion(), ...(await readMigrations(migrationsDir)).map(({ checksum }) => checksum)],
  fill: async (database) => {
    await migrate(database, migrationsDir)
    // Loaded here: whoever only opens a database needs no module of the domains.
    const { tasks } = await import('./domains/domains.ts')
    const { openQueue } = await import('./platform/queue/open-queue.ts')
    const kinds = tasks.map(({ name, retry }) => ({ name, retry, run: () => Promise.resolve() }))
    const queue = await openQueue(database, kinds, { poll_s: 60, concurrency: 1 })
    await queue.stop(0)
  },
}
