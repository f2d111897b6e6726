import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../../../packages/server/test/free-port.mjs'
import { startStore } from '../faults/services.ts'
import { createFolder, disposeWith, type TemporaryFolder } from '../harness/resources.ts'
import { readCommands, runCommands, type CommandEnvironment } from './commands.ts'

/** The name of the first backup. */
const day = 'first'

/** A machine with a database and a bucket, and the folders of the backups, which both machines reach. */
export interface Machine extends AsyncDisposable {
  /** For the commands of the runbook, as PostgreSQL's user. */
  readonly postgres: CommandEnvironment
  /** Settings of the program and of `aws`. */
  readonly settings: CommandEnvironment
}

/** A folder that the user of PostgreSQL may write, too. */
export async function createBackups(): Promise<TemporaryFolder> {
  const folder = await createFolder('runbook')
  for (const path of [folder.path, join(folder.path, 'archive'), join(folder.path, 'backups')]) {
    await mkdir(path, { recursive: true })
    await chmod(path, 0o777)
  }
  return folder
}

async function describeMachine(folder: string, name: string): Promise<Machine> {
  const port = String(await freePort())
  const store = await startStore()
  const data = join(folder, `postgres-${name}`)
  const urlOf = (role: string): string => `postgres://${role}@127.0.0.1:${port}/swath`
  const postgres = {
    PGDATA: data,
    PGPORT: port,
    PGHOST: '127.0.0.1',
    PGUSER: 'postgres',
    SUPERUSER_URL: urlOf('postgres'),
    ARCHIVE: join(folder, 'archive'),
    BACKUPS: join(folder, 'backups'),
    DAY: day,
  }
  const settings = {
    ...store.settingsWithPort(store.port),
    DATABASE_URL: urlOf('swath_service'),
    DATABASE_MIGRATION_URL: urlOf('swath_owner'),
    BACKUPS: join(folder, 'backups'),
    SWATH_DATA_DIR: join(folder, `data-${name}`),
  }
  const end = async (): Promise<void> => {
    await runCommands('pg_ctl --pgdata="$PGDATA" --mode=immediate stop || true', postgres, 'postgres')
    await store[Symbol.asyncDispose]()
  }
  return disposeWith({ postgres, settings }, end)
}

/** A machine with a new database, whose log is archived as the runbook says. */
export async function createMachine({ path: folder }: TemporaryFolder): Promise<Machine> {
  const machine = await describeMachine(folder, 'first')
  const { postgres } = machine
  await runCommands('initdb --username=postgres --auth=trust --no-sync', postgres, 'postgres')
  await runCommands(
    `printf "%s\\n" "unix_socket_directories = ''" "fsync = off" >> "$PGDATA/postgresql.conf"
    pg_ctl --wait --log="$PGDATA/log" start`,
    postgres,
    'postgres',
  )
  const passwords = { DATABASE_OWNER_PASSWORD: 'owner', DATABASE_SERVICE_PASSWORD: 'service' }
  await runCommands('deploy/postgres/create-roles.sh', { ...postgres, ...passwords })
  const [archive] = await readCommands('Backup')
  await runCommands(archive!, postgres, 'postgres')
  return machine
}

/** Copies the database, as every day. */
export async function backUpDatabase({ postgres }: Machine): Promise<void> {
  const [, copy] = await readCommands('Backup')
  await runCommands(copy!, postgres, 'postgres')
}

/** Copies the files that are new. */
export async function backUpFiles({ settings }: Machine): Promise<void> {
  const [, , sync] = await readCommands('Backup')
  await runCommands(sync!, settings)
}

/** An empty machine that gets the database as it was at a time, and all files. */
export async function restoreMachine({ path: folder }: TemporaryFolder, moment: string): Promise<Machine> {
  const machine = await describeMachine(folder, 'second')
  const [database, files] = await readCommands('Restore to a point in time')
  await runCommands(database!, { ...machine.postgres, MOMENT: moment }, 'postgres')
  await runCommands(
    'until [ "$(psql "$SUPERUSER_URL" -qtAc "select pg_is_in_recovery()")" = f ]; do sleep 0.2; done',
    machine.postgres,
  )
  await runCommands(files!, machine.settings)
  return machine
}
