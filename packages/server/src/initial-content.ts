import { createRequire } from 'node:module'
import type { InitialDatabaseContent } from './platform/database/embedded/template.ts'
import { migrateSchema, migrationsDir, readMigrations } from './platform/database/migrate.ts'

const queueVersion = (): string =>
  (createRequire(import.meta.url)('pg-boss/package.json') as { version: string }).version

/** A database with all migrations applied and a queue per task: half of the work of a first start. */
export const initialDatabaseContent: InitialDatabaseContent = {
  versions: async () => [
    queueVersion(),
    // With the name: a file that is given another number has the same text.
    ...(await readMigrations(migrationsDir)).map(({ name, checksum }) => `${name} ${checksum}`),
  ],
  fill: async (database) => {
    await migrateSchema(database, migrationsDir)
    // Imported lazily: opening an existing database needs no domain module.
    const { backgroundTasks } = await import('./domains/domains.ts')
    const { openQueue } = await import('./platform/queue/open-queue.ts')
    const taskDefinitions = backgroundTasks.map(({ name, retry }) => ({ name, retry, run: () => Promise.resolve() }))
    const queue = await openQueue(database, taskDefinitions, { poll_s: 60, concurrency: 1 })
    await queue.stop(0)
  },
}
