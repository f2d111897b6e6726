import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { commandsBuild } from '../launch/builds.mjs'
import { makeFolder } from '../launch/make-folder.ts'
import { printCommandTable } from '../printers/command-table.ts'

/** Prints the table of operations that the command line reads, so that no command reads the contract. */
await makeFolder(join(import.meta.dirname, '..', '..'), commandsBuild, (folder) =>
  writeFile(join(folder, 'commands.tsv'), printCommandTable()),
)
