/**
 * A process that uses an embedded database until it is killed, for crash.long.test.ts. Arguments: what it does, and its options
 * as JSON. It prints a line after each step that the test waits for.
 */
import { openEmbeddedPostgres } from '../../src/platform/database/embedded/open.ts'
import { ensureDatabaseTemplate } from '../../src/platform/database/embedded/template.ts'
import { getSchemaOwnerConnection } from '../../src/platform/database/raw.ts'
import { sql } from '../../src/platform/database/sql.ts'

type EmbeddedOptions = Parameters<typeof openEmbeddedPostgres>[0]

const printLine = (line: string): boolean => process.stdout.write(`${line}\n`)

const programs = {
  async 'write-rows'(options: EmbeddedOptions) {
    const database = await openEmbeddedPostgres(options)
    await database.runScript('create table if not exists rows (id bigint)')
    for (let id = 0; ; id += 1) {
      await getSchemaOwnerConnection(database).transaction((tx) => tx.query(sql`insert into rows values (${id})`))
      printLine(String(id))
    }
  },
  async 'hold-folder'(options: EmbeddedOptions) {
    await openEmbeddedPostgres(options)
    printLine('open')
  },
  async 'make-template'({ cacheDir }: EmbeddedOptions) {
    printLine('begun')
    await ensureDatabaseTemplate(cacheDir)
    printLine('whole')
  },
}

export type EmbeddedDatabaseProgram = keyof typeof programs

const [program, options] = process.argv.slice(2) as [EmbeddedDatabaseProgram, string]
await programs[program](JSON.parse(options) as EmbeddedOptions)
